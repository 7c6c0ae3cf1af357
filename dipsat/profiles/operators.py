"""Python's operators by the signs that people write, for the checker and its messages."""

from __future__ import annotations

import ast

COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
WORDS = {
    ast.Lambda: "a lambda",
    ast.Subscript: "an index in brackets",
    ast.ListComp: "a list",
    ast.List: "a list",
    ast.Dict: "a dictionary",
    ast.Set: "a set",
    ast.Tuple: "a tuple",
    ast.JoinedStr: "a formatted text",
    ast.NamedExpr: "an assignment",
    ast.Await: "await",
    ast.Starred: "a star",
}
SIGNS: dict[type[ast.AST], str] = {
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.Invert: "~",
    ast.UAdd: "a leading +",
    ast.USub: "a leading - (write 0 - x)",
}
