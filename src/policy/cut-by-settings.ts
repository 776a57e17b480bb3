import { estimateTokens } from "../tokens/estimate-tokens.ts";
import { extractText } from "../summarize/extract-text.ts";
import { parseWishes } from "../summarize/wishes.ts";
import type { ToolSettings } from "./policy-options.ts";

/** Cuts a result to at most `maxTokens` as its tool's settings say. Undefined: they do not say how. */
export function cutBySettings(text: string, { keep, instructions }: ToolSettings, maxTokens: number): string | undefined {
  if (instructions !== undefined) return extractText(text, parseWishes(instructions), maxTokens);
  if (keep === undefined) return undefined;
  const lines = text.split("\n");
  let left = maxTokens;
  let kept = 0;
  while (kept < lines.length) {
    const line = lines[keep === "head" ? kept : lines.length - 1 - kept] ?? "";
    left -= estimateTokens(`${line}\n`);
    // At least one line is shown, even if it is too long.
    if (left < 0 && kept > 0) break;
    kept++;
  }
  const cut = lines.length - kept;
  if (cut === 0) return undefined;
  const gap = `[… ${cut} line${cut === 1 ? "" : "s"} cut]`;
  return keep === "head" ? [...lines.slice(0, kept), gap].join("\n") : [gap, ...lines.slice(cut)].join("\n");
}
