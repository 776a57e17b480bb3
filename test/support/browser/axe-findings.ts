import axe from "axe-core";
import type { Page } from "playwright-core";

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/** What axe finds wrong in the page, one line each. */
export async function axeFindings(page: Page): Promise<string[]> {
  // The page's policy forbids scripts of others; here they come through the debugger, and not from the page.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResult> } }).axe.run({ resultTypes: ["violations"] }),
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 160)} ${failureSummary?.replaceAll(/\s+/g, " ").slice(0, 200) ?? ""}`),
  );
}
