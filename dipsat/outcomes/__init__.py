"""From a phase to its outcome: verdicts, reasons, proofs and comparisons."""
