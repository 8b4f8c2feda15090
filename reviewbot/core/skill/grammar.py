"""The names in the trees of each language, of ast-grep 0.51. They serve remedies: none is refused by them."""

from __future__ import annotations

_KINDS = {
    "bash": """
        ansi_c_string arithmetic_expansion array binary_expression brace_expression
        c_style_for_statement case_item case_statement command command_name command_substitution comment
        compound_statement concatenation declaration_command do_group elif_clause else_clause expansion
        extglob_pattern file_descriptor file_redirect for_statement function_definition heredoc_body
        heredoc_content heredoc_end heredoc_redirect heredoc_start herestring_redirect if_statement list
        negated_command number parenthesized_expression pipeline postfix_expression process_substitution
        program raw_string redirected_statement regex simple_expansion special_variable_name string
        string_content subscript subshell ternary_expression test_command test_operator
        translated_string unary_expression unset_command variable_assignment variable_assignments
        variable_name while_statement word
    """,
    "python": """
        aliased_import argument_list as_pattern as_pattern_target assert_statement assignment attribute
        augmented_assignment await binary_operator block boolean_operator break_statement call
        case_clause case_pattern chevron class_definition class_pattern comment comparison_operator
        complex_pattern concatenated_string conditional_expression constrained_type continue_statement
        decorated_definition decorator default_parameter delete_statement dict_pattern dictionary
        dictionary_comprehension dictionary_splat dictionary_splat_pattern dotted_name elif_clause
        ellipsis else_clause escape_interpolation escape_sequence except_clause exec_statement
        expression expression_list expression_statement false finally_clause float for_in_clause
        for_statement format_expression format_specifier function_definition future_import_statement
        generator_expression generic_type global_statement identifier if_clause if_statement
        import_from_statement import_prefix import_statement integer interpolation keyword_argument
        keyword_pattern keyword_separator lambda lambda_parameters line_continuation list
        list_comprehension list_pattern list_splat list_splat_pattern match_statement member_type module
        named_expression none nonlocal_statement not_operator pair parameter parameters
        parenthesized_expression parenthesized_list_splat pass_statement pattern pattern_list
        positional_separator primary_expression print_statement raise_statement relative_import
        return_statement set set_comprehension slice splat_pattern splat_type string string_content
        string_end string_start subscript true try_statement tuple tuple_pattern type
        type_alias_statement type_conversion type_parameter typed_default_parameter typed_parameter
        unary_operator union_pattern union_type while_statement wildcard_import with_clause with_item
        with_statement yield
    """,
    "yaml": """
        alias alias_name anchor anchor_name block_mapping block_mapping_pair block_node block_scalar
        block_sequence block_sequence_item boolean_scalar comment directive_name directive_parameter
        document double_quote_scalar escape_sequence float_scalar flow_mapping flow_node flow_pair
        flow_sequence integer_scalar null_scalar plain_scalar reserved_directive single_quote_scalar
        stream string_scalar tag tag_directive tag_handle tag_prefix timestamp_scalar yaml_directive
        yaml_version
    """,
}
_FIELDS = {
    "bash": """
        alternative argument body condition consequence descriptor destination fallthrough index
        initializer left name operator redirect right termination update value variable
    """,
    "python": """
        alias alternative argument arguments attribute body cause code condition consequence definition
        expression format_specifier function guard key left module_name name object operator operators
        parameters return_type right subject subscript superclasses type type_conversion type_parameters
        value
    """,
    "yaml": """
        key value
    """,
}

KINDS = {language: tuple(names.split()) for language, names in _KINDS.items()}
FIELDS = {language: tuple(names.split()) for language, names in _FIELDS.items()}
