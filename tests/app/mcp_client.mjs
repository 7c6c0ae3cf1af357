// A conversation with dipsat's tools for language models, by the protocol's client for TypeScript.
//
//   node mcp_client.mjs FOLDER < CONVERSATION
//
// FOLDER has the client in its node_modules. CONVERSATION is a JSON object with the `server`, as a
// `url` or as a `command` with `args` and `env`, and the `calls`, each a tool with its arguments.
// The text GAME in an argument stands for the last word in the first line of the first answer.
// Prints the `protocol`, the newest that both know, the names of the `tools`, and the `answers`.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const load = createRequire(`${path.resolve(process.argv[2])}${path.sep}`);
const { Client, StreamableHTTPClientTransport } = load("@modelcontextprotocol/client");
const { StdioClientTransport } = load("@modelcontextprotocol/client/stdio");
const { server, calls } = JSON.parse(fs.readFileSync(0, "utf8"));

const client = new Client(
  { name: "dipsat's tests", version: "1" },
  { versionNegotiation: { mode: "auto" } },
);
await client.connect(
  server.url
    ? new StreamableHTTPClientTransport(new URL(server.url))
    : new StdioClientTransport(server),
);
const tools = (await client.listTools()).tools.map((one) => one.name);
const answers = [];
for (const [name, given] of calls) {
  const game = answers[0]?.content[0].text.split("\n")[0].split(" ").at(-1);
  const filled = JSON.parse(JSON.stringify(given).replaceAll("GAME", game));
  answers.push(await client.callTool({ name, arguments: filled }));
}
const protocol = client.getNegotiatedProtocolVersion();
await client.close();
console.log(JSON.stringify({ protocol, tools, answers }));
