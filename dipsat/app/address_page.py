"""The page that documents the server's addresses: plain HTML that loads no other files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, cast

_STYLE = """\
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
overflow-wrap: anywhere; }
code, pre { font: .875em/1.45 ui-monospace, monospace; }
h2 { margin-top: 3rem; border-top: 1px solid #8886; padding-top: 1rem; font-size: 1.4rem; }
h3 { font-size: 1rem; margin-bottom: .3rem; }
pre { padding: .7rem; overflow-x: auto; border: 1px solid #8886; border-radius: 4px; }
table { border-collapse: collapse; } td, th { text-align: left; vertical-align: top;
padding: .25rem .8rem .25rem 0; border-bottom: 1px solid #8884; }
td:first-child, th { white-space: nowrap; }
"""
_COMMON = {"seconds": 1, "work": 2, "request": 3}
"""Members that every request has; they come last."""
_SENTENCE = re.compile(r"\.(?:\s|$)")
_Schema = Mapping[str, Any]


def docs_page(described: _Schema) -> str:
    """The page for an OpenAPI description."""
    return "\n".join(_lines(described))


def _lines(described: _Schema) -> Iterator[str]:
    schemas = described["components"]["schemas"]
    addresses = [
        (path, method, said)
        for path, methods in described["paths"].items()
        for method, said in methods.items()
    ]
    yield '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">'
    yield f"<title>dipsat: requests in JSON</title><style>{_STYLE}</style></head><body><main>"
    yield "<h1>dipsat: requests in JSON</h1>"
    yield f"<p>dipsat {escape(described['info']['version'])}. Every address below"
    yield "<code>/api/</code> takes a JSON object by <code>POST</code>, with the header"
    yield "<code>Content-Type: application/json</code>, and answers with one: under"
    yield "<code>answer</code>, or under <code>error</code> if the request is wrong, with the"
    yield "place of the fault. Programs read"
    yield '<a href="openapi.json">openapi.json</a>; the <a href="./">rule lab</a> asks this'
    yield "server, too.</p>"
    yield "<table><tr><th>address</th><th>gives</th></tr>"
    for path, method, said in addresses:
        link = f'<a href="#{_anchor(path, method)}">{method.upper()} {escape(path)}</a>'
        about = _SENTENCE.split(_meaning(said).partition(": ")[2] or _meaning(said))[0]
        yield f"<tr><td><code>{link}</code></td><td>{_text(about)}</td></tr>"
    yield "</table>"
    statuses = {"200": "The request was answered."}
    for path, method, said in addresses:
        name = f"<code>{method.upper()} {escape(path)}</code>"
        yield f'<h2 id="{_anchor(path, method)}">{name}</h2><p>{_text(_meaning(said))}</p>'
        yield from _address(said, schemas)
        if "requestBody" in said:
            others = {status: one["description"] for status, one in said["responses"].items()}
            statuses = others | statuses
    yield "<h2>Statuses</h2><table><tr><th>status</th><th>meaning</th></tr>"
    for status in sorted(statuses):
        yield f"<tr><td>{escape(status)}</td><td>{_text(statuses[status])}</td></tr>"
    yield "</table>\n</main></body></html>"


def _address(said: _Schema, schemas: _Schema) -> Iterator[str]:
    """The request and the answer of an address."""
    for one in said.get("parameters", ()):
        names = ", ".join(f"<code>{escape(name)}</code>" for name in one["schema"]["enum"])
        yield f"<p><code>{escape(one['name'])}</code> is one of {names}.</p>"
    if "requestBody" in said:
        body = said["requestBody"]["content"]["application/json"]
        yield "<h3>Request</h3>"
        yield from _members(_of(body["schema"], schemas), schemas, is_request=True)
        for title, example in body["examples"].items():
            yield f"<h3>Example: {escape(title)}</h3>"
            yield f"<pre>{escape(json.dumps(example['value'], indent=2))}</pre>"
    for content in said["responses"].get("200", {}).get("content", {}).values():
        if "$ref" in content["schema"]:
            yield "<h3>Answer</h3>"
            given = _of(content["schema"], schemas)
            answer = given["properties"].get("answer", given)
            for one in answer.get("anyOf", [answer]):
                yield f"<p>{_text(_of(one, schemas).get('description', ''))}</p>"
                yield from _members(_of(one, schemas), schemas)


def _of(schema: _Schema, schemas: _Schema) -> _Schema:
    """Return the schema, or the one that it refers to."""
    name = schema.get("$ref", "").rpartition("/")[2]
    return cast("_Schema", schemas[name]) if name else schema


def _members(schema: _Schema, schemas: _Schema, is_request: bool = False) -> Iterator[str]:
    required, members = schema.get("required", ()), schema["properties"]
    marks = {(True, True): ", required", (False, False): ", perhaps"}
    yield "<table><tr><th>member</th><th>type</th><th>meaning</th></tr>"
    for name in sorted(members, key=lambda name: _COMMON.get(name, 0)):
        member = members[name]
        about = member.get("description") or _of(member, schemas).get("description", "")
        mark = marks.get((is_request, name in required), "")
        yield f"<tr><td><code>{escape(name)}</code>{mark}</td>"
        yield f"<td>{escape(_type(member, schemas))}</td>"
        yield f"<td>{_text(about)}</td></tr>"
    yield "</table>"


def _type(member: _Schema, schemas: _Schema) -> str:
    """The type of a member in words."""
    if "$ref" in member:
        name = member["$ref"].rpartition("/")[2]
        return f"{name} ({', '.join(schemas[name]['properties'])})"
    if "anyOf" in member:
        return " or ".join(_type(one, schemas) for one in member["anyOf"])
    if "enum" in member:
        return ", ".join(map(str, member["enum"]))
    if "const" in member:
        return str(member["const"])
    kind = member.get("type", "anything")
    if kind == "array":
        return f"list of {_type(member.get('items', {}), schemas)}"
    return kind if isinstance(kind, str) else " or ".join(kind)


def _anchor(path: str, method: str) -> str:
    return escape(path if path.startswith("/api/") else f"{path}-{method}")


def _meaning(said: _Schema) -> str:
    return str(said.get("description") or said["summary"])


def _text(text: str) -> str:
    """A text as HTML: parts in backquotes become code."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if at % 2 else part for at, part in enumerate(parts))
