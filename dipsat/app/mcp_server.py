"""The server of `dipsat mcp`: lists the tools, passes calls to workers, and keeps games."""

from __future__ import annotations

import json
import secrets
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, TypeAlias

from mcp import types
from mcp.server.lowlevel import Server

from dipsat.app.mcp_tools import CHANGING, TOOLS, cut, request_of
from dipsat.app.schema import members_of
from dipsat.app.server_worker import BAD_JSON, BODY, TOOL, encoded, read_body
from dipsat.base import __version__
from dipsat.errors import DipsatError, InputLimitError, UnknownNameError

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from dipsat.app.server import Asking

# --- games ----------------------------------------------------------------------------------------

_MOST = 240  # games, of up to 256 KB
_SHARE = 4  # one client has at most this fraction of them


class Games:
    """The games in play, as texts. When there are too many, the one that nobody has asked about for
    the longest time is forgotten."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[str, str]] = {}  # id -> text, client

    def get(self, name: str) -> str | None:
        """The game with this id, or None."""
        if found := self._kept.pop(name, None):
            self._kept[name] = found
        return found and found[0]

    def keep(self, client: str, text: str, name: str = "") -> str:
        """Keep a game of a client under its id, or under a new one. Returns the id, which nobody
        can guess."""
        own = [one for one, (_, whose) in self._kept.items() if whose == client]
        if not name and len(own) >= _MOST // _SHARE:
            del self._kept[own[0]]
        elif not name and len(self._kept) >= _MOST:
            del self._kept[next(iter(self._kept))]
        name = name or secrets.token_hex(4)
        self._kept[name] = text, client
        return name


# --- server ---------------------------------------------------------------------------------------

Ask: TypeAlias = Callable[[Any, str, bytes], Awaitable[bytes]]
"""A function that has a worker answer: HTTP request (or None), the name by which workers know the
request, its body -> the body of the answer."""

_ABOUT = """\
dipsat adjudicates Diplomacy and proves its answers. State the board in each call, as `board`; or \
play a game: `new_game` returns an id that also works as `board`. Provinces and units are written \
as in `A PAR - BUR`; full names work. Answers that are called proven hold for all orders in \
question, without exception."""


def tools_server(ask: Ask) -> Any:
    """The server, whose tools are run by workers."""
    tools, games = [_described(name) for name in TOOLS], Games()

    async def list_tools(*_: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools)

    async def call(context: Any, asked: types.CallToolRequestParams) -> types.CallToolResult:
        name, arguments, request = asked.name, asked.arguments or {}, context.request
        if name not in TOOLS:
            return _said(str(UnknownNameError("tool", name, TOOLS)), is_wrong=True)
        named = str(arguments.get("game") or arguments.get("board"))
        before = games.get(named)
        body = encoded({"arguments": arguments, "game": before})
        found = json.loads(await ask(request, TOOL + name, body))
        if "error" in found:
            error = found["error"]
            return _said(error if isinstance(error, str) else error["message"], is_wrong=True)
        text = found["text"]
        if "game" in found:
            is_new = name == "new_game"
            if not is_new and games.get(named) != before:
                return _said("nothing was done: the game has changed meanwhile; try again", True)
            client = request.client.host if request and request.client else ""
            named = games.keep(client, found["game"], "" if is_new else named)
            text = f"The id of this game is {named}\n{text}" if is_new else text
        return _said(text, picture=found.get("picture"))

    about = {"version": __version__, "instructions": _ABOUT}
    if not hasattr(Server, "call_tool"):  # version 2 of the package
        return Server("dipsat", **about, on_list_tools=list_tools, on_call_tool=call)
    server, asked_of = Server("dipsat", **about), types.CallToolRequestParams
    server.list_tools()(list_tools)
    server.call_tool(validate_input=False)(
        lambda name, given: call(server.request_context, asked_of(name=name, arguments=given))
    )
    return server


def _described(name: str) -> types.Tool:
    """The description of a tool for clients."""
    schema = members_of(request_of(name))
    hints = types.ToolAnnotations(readOnlyHint=name not in CHANGING, openWorldHint=False)
    about = schema.pop("description").replace("\n", " ")
    return types.Tool(name=name, description=about, inputSchema=schema, annotations=hints)


def _said(
    text: str, is_wrong: bool = False, picture: tuple[str, str] | None = None
) -> types.CallToolResult:
    content: list[Any] = [types.TextContent(type="text", text=cut(text))]
    if picture is not None:
        kind, data = picture
        content.append(types.ImageContent(type="image", data=data, mimeType=kind))
    return types.CallToolResult(content=content, isError=is_wrong)


# --- over HTTP ------------------------------------------------------------------------------------

_MESSAGE = 2**15  # bytes: checking a message takes the server longer than reading it


class Talk:
    """The server over HTTP. There are no sessions, so every message is a separate request."""

    def __init__(self, asking: Asking) -> None:
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
        from starlette.routing import Route

        self._asking = asking
        self.route = Route("/mcp", self._answer, methods=["POST"])
        server = tools_server(self._ask)
        self._manager = StreamableHTTPSessionManager(server, json_response=True, stateless=True)

    async def _ask(self, request: Request, name: str, body: bytes) -> bytes:
        body = bytes((await self._asking.ask(request, name, body)).body)
        return body or encoded({"error": "the client has left"})

    def run(self) -> AbstractAsyncContextManager[None]:
        """A block during which the server answers."""
        found: AbstractAsyncContextManager[None] = self._manager.run()
        return found

    async def _answer(self, request: Request) -> Response:
        request.scope["dipsat.kind"] = "mcp"
        return await self._asking.answer(request, "mcp", self._answered)

    async def _answered(self, request: Request, _: str, body: bytes) -> Response:
        from starlette.responses import Response

        from dipsat.app.server import failed

        if len(body) > _MESSAGE:
            raise InputLimitError(BODY, "bytes in a message", len(body), _MESSAGE)
        try:
            read_body(body)
        except DipsatError as error:
            return failed(None, BAD_JSON, error)
        unread, sent = [{"type": "http.request", "body": body}], list[Any]()

        async def receive() -> Any:  # replay the body, then wait for the client to leave
            return unread.pop() if unread else await request.receive()

        async def send(message: Any) -> None:
            sent.append(message)

        await self._manager.handle_request(request.scope, receive, send)
        content = b"".join(one.get("body", b"") for one in sent)
        headers = {key.decode(): value.decode() for key, value in sent[0]["headers"]}
        return Response(content, sent[0]["status"], headers)
