import type { Provider } from "../models/model.ts";
import { modelKey } from "./model-key.ts";

/** The place of a model among its relatives, as far as its name tells. */
export interface Lineage {
  readonly provider: Provider | null;
  /** Models of one line succeed each other: opus, sonnet; sol, luna; pro, flash. */
  readonly line: string;
  /** In tenths: 45 is 4.5. A name without a number counts as the newest. */
  readonly version: number;
}

const NEWEST = 999;

interface Family {
  readonly provider: Provider;
  readonly name: RegExp;
  /** The first one that occurs in the name, or else the last. */
  readonly lines: readonly { readonly line: string; readonly name: RegExp }[];
}

const FAMILIES: readonly Family[] = [
  {
    provider: "anthropic",
    name: /claude/,
    lines: [
      { line: "fable", name: /fable|mythos/ }, // Mythos is Fable with limited access, at the same prices
      { line: "opus", name: /opus/ },
      { line: "haiku", name: /haiku/ },
      { line: "sonnet", name: /(?:)/ },
    ],
  },
  {
    provider: "openai",
    name: /gpt|codex|^o\d/,
    lines: [
      { line: "astra", name: /astra/ },
      { line: "terra", name: /terra/ },
      { line: "luna", name: /luna/ },
      { line: "mini", name: /mini|nano/ },
      { line: "sol", name: /(?:)/ }, // the plain name stands for it: gpt-5.6 is gpt-5.6-sol
    ],
  },
  {
    provider: "gemini",
    name: /gemini/,
    lines: [
      { line: "flash", name: /flash/ },
      { line: "argon", name: /argon/ },
      { line: "pro", name: /(?:)/ },
    ],
  },
  {
    provider: "deepseek",
    name: /deepseek/,
    lines: [
      { line: "pro", name: /pro/ },
      { line: "flash", name: /(?:)/ },
    ],
  },
];

export function lineageOf(name: string): Lineage {
  const key = modelKey(name);
  const family = FAMILIES.find((candidate) => candidate.name.test(key));
  const line = family?.lines.find((candidate) => candidate.name.test(key))?.line ?? "";
  return { provider: family?.provider ?? null, line, version: versionIn(key) };
}

/** o1, o3 and o4 have their own numbers; they rank between GPT-4.1 and GPT-5. */
const O_SERIES_VERSION = 45;

function versionIn(key: string): number {
  if (/^o\d/.test(key)) return O_SERIES_VERSION;
  const found = /(?<!\d)(\d{1,2})(?!\d)(?:-(\d)(?!\d))?/.exec(key);
  return found === null ? NEWEST : 10 * Number(found[1]) + Number(found[2] ?? 0);
}
