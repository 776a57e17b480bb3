/** Lints `reports/package.tgz` with publint, strictly. Part of `npm run check:package`. */
import { readFile } from "node:fs/promises";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

const tarball = await readFile(new URL("../reports/package.tgz", import.meta.url));
const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(tarball).buffer }, strict: true });
const problems = messages.filter((message) => {
  if (message.code !== "NESTED_PACKAGE_JSON_FIELD_IGNORED") return true;
  // publint believes that these imports are ignored. Node reads the nearest manifest, and the test of the packed package covers them.
  return message.args.field !== "imports" || message.args.filePath !== "./dist/package.json";
});
for (const problem of problems) console.error(formatMessage(problem, pkg, { color: false }) ?? problem.code);
console.log(`publint: ${problems.length} problems`);
if (problems.length > 0) process.exitCode = 1;
