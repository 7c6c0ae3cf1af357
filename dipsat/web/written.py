"""The server's page about its addresses: plain HTML that loads nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

_STYLE = """\
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
code, pre { font: 14px/1.45 ui-monospace, monospace; }
pre { padding: .7rem; overflow-x: auto; border: 1px solid #8886; border-radius: 4px; }
table { border-collapse: collapse; } td, th { text-align: left; vertical-align: top;
padding: .25rem .8rem .25rem 0; border-bottom: 1px solid #8884; }
"""


def docs_page(described: Mapping[str, Any]) -> str:
    """The page for what OpenAPI says."""
    return "\n".join(_lines(described))


def _lines(described: Mapping[str, Any]) -> Iterator[str]:
    yield '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width">'
    yield f"<title>dipsat: requests in JSON</title><style>{_STYLE}</style></head><body><main>"
    yield "<h1>dipsat: requests in JSON</h1>"
    yield f"<p>dipsat {escape(described['info']['version'])}. Every address below "
    yield "<code>/api/</code> takes a JSON object by <code>POST</code>, called "
    yield "<code>application/json</code>, and answers with one: <code>answer</code>, or "
    yield '<code>error</code>. Programs read <a href="openapi.json">openapi.json</a>.</p><ul>'
    for path in described["paths"]:
        yield f'<li><a href="#{escape(path)}"><code>{escape(path)}</code></a></li>'
    yield "</ul>"
    for path, methods in described["paths"].items():
        for method, said in methods.items():
            yield from _address(path, method, said)
    yield "</main></body></html>"


def _address(path: str, method: str, said: Mapping[str, Any]) -> Iterator[str]:
    yield f'<h2 id="{escape(path)}"><code>{method.upper()} {escape(path)}</code></h2>'
    yield f"<p>{_text(said.get('description') or said['summary'])}</p>"
    if "requestBody" not in said:
        return
    body = said["requestBody"]["content"]["application/json"]
    required = body["schema"].get("required", ())
    yield "<table><tr><th>member</th><th>type</th><th>meaning</th></tr>"
    for name, member in body["schema"]["properties"].items():
        needed = " (required)" if name in required else ""
        yield f"<tr><td><code>{escape(name)}</code>{needed}</td><td>{escape(_type(member))}</td>"
        yield f"<td>{_text(member.get('description', ''))}</td></tr>"
    yield "</table>"
    for name, example in body["examples"].items():
        yield f"<p>Example, {escape(name)}:</p>"
        yield f"<pre>{escape(json.dumps(example['value'], indent=2))}</pre>"
    yield "<table><tr><th>status</th><th>meaning</th></tr>"
    for status, answer in said["responses"].items():
        yield f"<tr><td>{escape(str(status))}</td><td>{_text(answer['description'])}</td></tr>"
    yield "</table>"


def _text(text: str) -> str:
    """A text with its words of code."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if at % 2 else part for at, part in enumerate(parts))


def _type(member: Mapping[str, Any]) -> str:
    """The type of a member in words."""
    if "anyOf" in member:
        return " or ".join(_type(one) for one in member["anyOf"])
    if "enum" in member:
        return ", ".join(map(str, member["enum"]))
    if "const" in member:
        return str(member["const"])
    if member.get("type") == "array":
        return f"list of ({_type(member.get('items', {}))})"
    return str(member.get("type", "anything"))
