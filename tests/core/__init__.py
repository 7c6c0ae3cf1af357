"""Boards, orders, rules, games, equations, solving and outcomes."""
