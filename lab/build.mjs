// Writes the page's scripts and their licences into the package, beside its other files, which are
// edited there: `npm ci && npm run build`. With a folder as argument it writes them there; a test
// compares the two.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = path.dirname(fileURLToPath(import.meta.url));
const target = process.argv[2] ?? path.join(here, "..", "dipsat", "app", "page");
fs.mkdirSync(target, { recursive: true });

const made = await build({
  absWorkingDir: here,
  entryPoints: { lab: "src/main.mjs", worker: "src/worker.mjs", remember: "src/remember.mjs" },
  outdir: target,
  bundle: true,
  external: ["node:*"],
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  loader: { ".txt": "text", ".yaml": "text" }, // examples of the docs
  legalComments: "none",
  metafile: true,
});

// The licence of every package that is in the bundle.
const packages = new Set();
for (const input of Object.keys(made.metafile.inputs)) {
  const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
  if (found) packages.add(found[1]);
}
const licences = [...packages].sort().map((name) => {
  const folder = path.join(here, "node_modules", name);
  const { version, license } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  const text = fs.readFileSync(path.join(folder, "LICENSE"), "utf8").trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
});
fs.writeFileSync(path.join(target, "licences.txt"), licences.join(`\n${"-".repeat(60)}\n\n`));
