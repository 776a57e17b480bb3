import { readFileSync } from "node:fs";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { citations, reportedBy } from "./rule-citations.ts";
import { configurationPage } from "./configuration-page.ts";
import { errorsPage } from "./errors-page.ts";
import { pagesWithSnippets, withSnippets } from "./example-snippets.ts";
import { providerRulesPage, ruleFaults } from "./provider-rules-page.ts";

export interface GeneratedPage {
  readonly path: string;
  readonly text: string;
}

/** Returns the pages generated from the sources and the pages with snippets, formatted as by `npm run format`. */
export async function generatedPages(root: string): Promise<GeneratedPage[]> {
  const pages = {
    "docs/provider-rules.md": providerRulesPage(reportedBy(root)),
    "docs/errors.md": errorsPage(),
    "docs/configuration.md": configurationPage(root),
    ...Object.fromEntries(pagesWithSnippets(root).map((page) => [page, filled(page, root)])),
  };
  const config = await resolveConfig(`${root}/docs/errors.md`);
  return await Promise.all(Object.entries(pages).map(async ([path, text]) => ({ path, text: await format(`${text}\n`, { ...config, parser: "markdown" }) })));
}

function filled(page: string, root: string): string {
  const text = readFileSync(join(root, page), "utf8").replaceAll("\r\n", "\n").trimEnd();
  try {
    return withSnippets(text, root);
  } catch (error) {
    throw new Error(`${page}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

export function ruleTableFaults(root: string): string[] {
  return ruleFaults(citations(root), reportedBy(root));
}
