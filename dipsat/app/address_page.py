"""The server's page about its addresses: plain HTML that loads nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

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
_COMMON = ("seconds", "work", "request")
"""Members that every request has; they come last."""
_SENTENCE = re.compile(r"\.(?:\s|$)")
_Schema = Mapping[str, Any]


def docs_page(described: _Schema) -> str:
    """The page for what OpenAPI says."""
    return "\n".join(_Page(described).lines())


class _Page:
    def __init__(self, described: _Schema) -> None:
        self.version = described["info"]["version"]
        self.paths: Mapping[str, Mapping[str, _Schema]] = described["paths"]
        self.schemas: Mapping[str, _Schema] = described["components"]["schemas"]

    def lines(self) -> Iterator[str]:
        yield '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        yield '<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">'
        yield f"<title>dipsat: requests in JSON</title><style>{_STYLE}</style></head><body><main>"
        yield "<h1>dipsat: requests in JSON</h1>"
        yield f"<p>dipsat {escape(self.version)}. Every address below <code>/api/</code> takes a"
        yield "JSON object by <code>POST</code>, with the header"
        yield "<code>Content-Type: application/json</code>, and answers with one: under"
        yield "<code>answer</code>, or under <code>error</code> if the request is wrong, with the"
        yield "place of the fault. Programs read"
        yield '<a href="openapi.json">openapi.json</a>; the <a href="./">rule lab</a> asks this'
        yield "server, too.</p>"
        yield from self._index()
        for path, methods in self.paths.items():
            for method, said in methods.items():
                yield from self._address(path, method, said)
        yield from self._statuses()
        yield "</main></body></html>"

    def _index(self) -> Iterator[str]:
        yield "<table><tr><th>address</th><th>gives</th></tr>"
        for path, methods in self.paths.items():
            for method, said in methods.items():
                link = f'<a href="#{_anchor(path, method)}">{method.upper()} {escape(path)}</a>'
                about = _SENTENCE.split(_meaning(said).partition(": ")[2] or _meaning(said))[0]
                yield f"<tr><td><code>{link}</code></td><td>{_text(about)}</td></tr>"
        yield "</table>"

    def _address(self, path: str, method: str, said: _Schema) -> Iterator[str]:
        name = f"<code>{method.upper()} {escape(path)}</code>"
        yield f'<h2 id="{_anchor(path, method)}">{name}</h2><p>{_text(_meaning(said))}</p>'
        for one in said.get("parameters", ()):
            names = ", ".join(f"<code>{escape(name)}</code>" for name in one["schema"]["enum"])
            yield f"<p><code>{escape(one['name'])}</code> is one of {names}.</p>"
        if "requestBody" in said:
            body = said["requestBody"]["content"]["application/json"]
            yield "<h3>Request</h3>"
            yield from self._members(self._of(body["schema"]), is_request=True)
            for title, example in body["examples"].items():
                yield f"<h3>Example: {escape(title)}</h3>"
                yield f"<pre>{escape(json.dumps(example['value'], indent=2))}</pre>"
        for content in said["responses"].get("200", {}).get("content", {}).values():
            if "$ref" in content["schema"]:
                yield "<h3>Answer</h3>"
                given = self._of(content["schema"])
                answer = given["properties"].get("answer", given)
                for one in answer.get("anyOf", [answer]):
                    yield f"<p>{_text(self._of(one).get('description', ''))}</p>"
                    yield from self._members(self._of(one))

    def _of(self, schema: _Schema) -> _Schema:
        """A schema, or the one that it refers to."""
        if "$ref" not in schema:
            return schema
        return self.schemas[schema["$ref"].rpartition("/")[2]]

    def _members(self, schema: _Schema, is_request: bool = False) -> Iterator[str]:
        required = schema.get("required", ())
        members = schema["properties"]
        last = {name: at for at, name in enumerate(_COMMON, 1)}
        yield "<table><tr><th>member</th><th>type</th><th>meaning</th></tr>"
        for name in sorted(members, key=lambda name: last.get(name, 0)):
            member = members[name]
            about = member.get("description") or self._of(member).get("description", "")
            marks = {(True, True): ", required", (False, False): ", perhaps"}
            mark = marks.get((is_request, name in required), "")
            yield f"<tr><td><code>{escape(name)}</code>{mark}</td>"
            yield f"<td>{escape(self._type(member))}</td>"
            yield f"<td>{_text(about)}</td></tr>"
        yield "</table>"

    def _type(self, member: _Schema) -> str:
        """The type of a member in words."""
        if "$ref" in member:
            name = member["$ref"].rpartition("/")[2]
            known = self.schemas[name]["properties"]
            return f"{name} ({', '.join(known)})"
        if "anyOf" in member:
            return " or ".join(self._type(one) for one in member["anyOf"])
        if "enum" in member:
            return ", ".join(map(str, member["enum"]))
        if "const" in member:
            return str(member["const"])
        kind = member.get("type", "anything")
        if kind == "array":
            return f"list of {self._type(member.get('items', {}))}"
        return kind if isinstance(kind, str) else " or ".join(kind)

    def _statuses(self) -> Iterator[str]:
        found = {"200": "There is an answer."}
        for methods in self.paths.values():
            for said in methods.values():
                if "requestBody" in said:
                    found |= {
                        str(status): one["description"]
                        for status, one in said["responses"].items()
                        if str(status) != "200"
                    }
        yield "<h2>Statuses</h2><table><tr><th>status</th><th>meaning</th></tr>"
        for status in sorted(found):
            yield f"<tr><td>{escape(status)}</td><td>{_text(found[status])}</td></tr>"
        yield "</table>"


def _anchor(path: str, method: str) -> str:
    return escape(path if path.startswith("/api/") else f"{path}-{method}")


def _meaning(said: _Schema) -> str:
    return str(said.get("description") or said["summary"])


def _text(text: str) -> str:
    """A text with its words of code."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if at % 2 else part for at, part in enumerate(parts))
