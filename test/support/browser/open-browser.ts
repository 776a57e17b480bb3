import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { after } from "node:test";

const ARGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];

/** A browser that is there: what `PALIMPSEST_CHROMIUM` names, the one that comes with `npm ci`, or Chrome. Undefined: none can be started here. */
export async function openBrowser(): Promise<Browser | undefined> {
  for (const options of [await bundled(), { channel: "chrome" }]) {
    try {
      return await chromium.launch({ ...options, args: ARGS, headless: true });
    } catch {
      // Then the next one.
    }
  }
  return undefined;
}

async function bundled(): Promise<{ readonly executablePath?: string }> {
  const named = process.env["PALIMPSEST_CHROMIUM"];
  if (named !== undefined) return { executablePath: named };
  // It is built for this alone.
  if (process.platform !== "linux" || process.arch !== "x64") return {};
  const { default: packed } = await import("@sparticuz/chromium");
  return { executablePath: await packed.executablePath() };
}

/** One browser for all tests of a process; it is closed when they are over. */
export async function sharedBrowser(): Promise<Browser | undefined> {
  const browser = await openBrowser();
  after(async () => browser?.close());
  return browser;
}

export interface WatchedPage {
  readonly page: Page;
  /** What a reader should never see: errors in the console, failures of scripts, requests to others. */
  readonly problems: readonly string[];
}

/** A page of its own, in which nothing goes wrong unseen. */
export async function openPage(browser: Browser, address: string, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, colorScheme: "light", ...options });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`failure: ${error.message}`));
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const { origin } = new URL(address);
  const own = origin === "null" ? address : origin;
  page.on("request", (request) => {
    if (!request.url().startsWith(own) && !/^(blob|data):/.test(request.url())) problems.push(`request to ${request.url()}`);
  });
  await page.goto(address);
  return { page, problems };
}
