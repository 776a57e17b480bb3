import { format, resolveConfig } from "prettier";
import { citations, reportedBy } from "./rule-citations.ts";
import { errorsPage } from "./errors-page.ts";
import { providerRulesPage, ruleFaults } from "./provider-rules-page.ts";

export interface GeneratedPage {
  readonly path: string;
  readonly text: string;
}

/** Returns the pages of `docs/` that are written from the sources, formatted as `npm run format` would. */
export async function generatedPages(root: string): Promise<GeneratedPage[]> {
  const pages = { "docs/provider-rules.md": providerRulesPage(reportedBy(root)), "docs/errors.md": errorsPage() };
  const config = await resolveConfig(`${root}/docs/errors.md`);
  return await Promise.all(Object.entries(pages).map(async ([path, text]) => ({ path, text: await format(`${text}\n`, { ...config, parser: "markdown" }) })));
}

export function ruleTableFaults(root: string): string[] {
  return ruleFaults(citations(root), reportedBy(root));
}
