"""What a model is asked, and what becomes of its answers.

Asking: redact.py and legible.py make a text fit to be shown, render.py shows a file, chunks.py deals files
into questions, find.py asks them; refute.py asks the second reader, to whom case.py shows one claim.
schema.py is the form of the answers, prompts.py the templates. Look-ups are served by lookups.py, in the
rounds of talk.py.

Answers: answers.py reads them, evidence.py checks what they claim, refute.py hears the second reader,
merge.py makes one finding of all that speaks of one cause.
"""
