"""Pictures of boards, orders and results as SVG texts."""
