/** Checks the documentation: `npm run check:docs`. cspell checks the spelling separately. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { linkFaults } from "./docs/check-links.ts";
import { proseFaults, type ProseLimits } from "./docs/check-readme.ts";
import { pagesWithSnippets, snippetFaults } from "./docs/example-snippets.ts";
import { generatedPages, ruleTableFaults } from "./docs/generated-pages.ts";
import { pagesOf } from "./docs/markdown.ts";

/** A newcomer decides on the first screen, and nobody reads long sentences. */
const README: ProseLimits = { maxLines: 150, maxCharactersPerLine: 110, maxWordsPerSentence: 30 };
const GUIDE: ProseLimits = { ...README, maxLines: 250 };

const root = fileURLToPath(new URL("../", import.meta.url));
const stale = (await generatedPages(root)).flatMap(({ path, text }) => {
  const file = join(root, path);
  return existsSync(file) && readFileSync(file, "utf8").replaceAll("\r\n", "\n") === text ? [] : [`${path}: is out of date. Write it with: npm run docs`];
});
const withoutExample = pagesWithSnippets(root).flatMap((page) => snippetFaults(readFileSync(join(root, page), "utf8"), page));
const tooLong = [...pagesWithSnippets(root), "docs/comparison.md"].flatMap((page) =>
  proseFaults(readFileSync(join(root, page), "utf8"), page, page === "README.md" ? README : GUIDE),
);
const faults = [...stale, ...withoutExample, ...ruleTableFaults(root), ...linkFaults(root), ...tooLong];
for (const fault of faults) console.error(fault);
console.log(`docs: ${pagesOf(root).length} pages, ${faults.length} problems`);
if (faults.length > 0) process.exitCode = 1;
