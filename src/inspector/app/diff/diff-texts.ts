import type { DiffResult } from "./line-diff.ts";

/** Longer texts are shown side by side without a comparison. */
export const MOST_DIFF_CHARS = 2 * 1024 * 1024;

interface TrustedTypes {
  createPolicy(name: string, rules: { readonly createScriptURL: (url: string) => string }): { createScriptURL(url: string): string };
}

const waiting = new Map<number, (result: DiffResult) => void>();
let worker: Worker | undefined;
let asked = 0;

/** Compares two texts in a worker, so that the page can still be scrolled. */
export function diffTexts(left: string, right: string): Promise<DiffResult> {
  worker ??= open();
  const id = ++asked;
  const answered = new Promise<DiffResult>((resolve) => waiting.set(id, resolve));
  worker.postMessage({ id, left, right });
  return answered;
}

function open(): Worker {
  const url = "/inspector/assets/diff-worker.js";
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  // The page's policy accepts script addresses from here only.
  const trusted = trustedTypes?.createPolicy("palimpsest", { createScriptURL: () => url }).createScriptURL(url) ?? url;
  const opened = new Worker(trusted, { type: "module" });
  opened.addEventListener("message", ({ data }: MessageEvent<{ readonly id: number; readonly result: DiffResult }>) => {
    waiting.get(data.id)?.(data.result);
    waiting.delete(data.id);
  });
  opened.addEventListener("error", () => {
    for (const resolve of waiting.values()) resolve({ tooLarge: true });
    waiting.clear();
    worker = undefined;
  });
  return opened;
}
