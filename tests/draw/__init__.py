"""Pictures of boards, reasons and comparisons."""
