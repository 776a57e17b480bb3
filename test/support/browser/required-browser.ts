import type { Browser } from "playwright-core";
import { sharedBrowser } from "./open-browser.ts";

/** Whoever asks for tests in a browser wants to hear that there is none. */
export async function requiredBrowser(): Promise<Browser> {
  const browser = await sharedBrowser();
  if (browser === undefined) throw new Error("No browser can be started here: name one with PALIMPSEST_CHROMIUM.");
  return browser;
}
