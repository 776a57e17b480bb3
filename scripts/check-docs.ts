/** Checks the documentation: `npm run check:docs`. Spelling is checked beside it, by cspell. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { linkFaults } from "./docs/check-links.ts";
import { proseFaults, type ProseLimits } from "./docs/check-readme.ts";
import { pagesWithSnippets, snippetFaults } from "./docs/example-snippets.ts";
import { generatedPages, ruleTableFaults } from "./docs/generated-pages.ts";
import { pagesOf } from "./docs/markdown.ts";

/** What the README of today has. When it is rewritten: 150 lines, 110 characters, 30 words. */
const README: ProseLimits = { maxLines: 308, maxCharactersPerLine: 178, maxWordsPerSentence: 73 };

const root = fileURLToPath(new URL("../", import.meta.url));
const stale = (await generatedPages(root)).flatMap(({ path, text }) => {
  const file = join(root, path);
  return existsSync(file) && readFileSync(file, "utf8").replaceAll("\r\n", "\n") === text ? [] : [`${path}: is out of date. Write it with: npm run docs`];
});
const withoutExample = pagesWithSnippets(root).flatMap((page) => snippetFaults(readFileSync(join(root, page), "utf8"), page));
const faults = [
  ...stale,
  ...withoutExample,
  ...ruleTableFaults(root),
  ...linkFaults(root),
  ...proseFaults(readFileSync(join(root, "README.md"), "utf8"), "README.md", README),
];
for (const fault of faults) console.error(fault);
console.log(`docs: ${pagesOf(root).length} pages, ${faults.length} problems`);
if (faults.length > 0) process.exitCode = 1;
