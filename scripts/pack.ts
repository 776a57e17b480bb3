/** Packs the package for publishing into reports/package.tgz, and checks that it contains exactly the right files. */
import { spawnSync } from "node:child_process";
import { mkdirSync, renameSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Keeps downloads fast. */
const MAX_BYTES = 2_000_000;
const DOCUMENTS = ["package.json", "README.md", "LICENSE", "CHANGELOG.md"];
/** The inspector's app, made from its sources. */
const APP = ["app.js", "app.css", "diff-worker.js", "icon.svg"].map((name) => `dist/inspector/app/${name}`);

process.chdir(fileURLToPath(new URL("../", import.meta.url)));
mkdirSync("reports", { recursive: true });

const { status, stdout } = spawnSync("npm", ["pack", "--json", "--pack-destination", "reports"], { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
if (status !== 0) {
  console.error(stdout);
  process.exit(1);
}
// Packing builds first (the `prepack` script), so npm's report follows the build's output.
const [packed] = JSON.parse(stdout.slice(stdout.search(/^\[$/m))) as [{ filename: string; size: number; files: { path: string }[] }];
renameSync(`reports/${packed.filename}`, "reports/package.tgz");

const paths = packed.files.map(({ path }) => path);
const problems = [
  ...[...DOCUMENTS, ...APP].filter((path) => !paths.includes(path)).map((path) => `missing in the package: ${path}`),
  ...paths.filter((path) => !belongs(path)).map((path) => `should not be in the package: ${path}`),
  ...(packed.size > MAX_BYTES ? [`${packed.size} bytes packed; at most ${MAX_BYTES}`] : []),
];
for (const problem of problems) console.error(problem);
console.log(`package: ${paths.length} files, ${Math.round(packed.size / 1000)} kB packed`);
if (problems.length > 0) process.exitCode = 1;

function belongs(path: string): boolean {
  if (/^dist\/inspector\/app\/[^/]+\.(css|svg)$/.test(path)) return true;
  // Maps the `#` imports: see scripts/write-dist-manifest.ts.
  if (path === "dist/package.json") return true;
  if (path.startsWith("dist/")) return /\.(js|d\.ts)$/.test(path) && !path.includes(".test.");
  return path.startsWith("assets/") || DOCUMENTS.includes(path);
}
