"""A shell script as detectors read it: its tree, its options, its flow, and its launches."""
