import { invalid } from "../../errors/palimpsest-error.ts";
import type { ReplayPolicy } from "../replay-policy.ts";
import { clearToolUses } from "./clear-tool-uses.ts";
import { collapse } from "./collapse.ts";
import { keepLast } from "./keep-last.ts";
import { none } from "./none.ts";
import { preset } from "./preset.ts";
import { prune } from "./prune.ts";
import { tokenBudget } from "./token-budget.ts";
import { truncate } from "./truncate.ts";
import { writtenPolicy } from "./written.ts";

/** A policy that is selected by name, with numbers after colons. */
interface NamedPolicy {
  readonly name: string;
  /** The syntax after the name, for help texts. */
  readonly form: string;
  /** The minimum of each number. */
  readonly least: readonly number[];
  /** How many of the numbers are required. */
  readonly required: number;
  readonly make: (name: string, numbers: readonly (number | undefined)[]) => ReplayPolicy;
}

const POLICIES: readonly NamedPolicy[] = [
  { name: "none", form: "", least: [], required: 0, make: none },
  { name: "gentle", form: "", least: [], required: 0, make: (name) => preset(name, { preset: "gentle" }) },
  { name: "balanced", form: "", least: [], required: 0, make: (name) => preset(name, { preset: "balanced" }) },
  { name: "tight", form: "", least: [], required: 0, make: (name) => preset(name, { preset: "tight" }) },
  { name: "budget", form: ":tokens", least: [1], required: 1, make: (name, [budget = 1]) => preset(name, { budget }) },
  { name: "truncate", form: "[:tokens]", least: [0], required: 0, make: (name, [tokens = 500]) => truncate(name, tokens) },
  { name: "collapse", form: "[:turns]", least: [0], required: 0, make: (name, [turns = 10]) => collapse(name, turns) },
  { name: "sliding-window", form: "[:turns]", least: [0], required: 0, make: (name, [turns = 50]) => prune(name, "sliding-window", turns) },
  { name: "summarize", form: "[:turns]", least: [0], required: 0, make: (name, [turns = 50]) => prune(name, "summarize", turns) },
  { name: "importance", form: "[:turns]", least: [0], required: 0, make: (name, [turns = 50]) => prune(name, "importance", turns) },
  { name: "token-budget", form: "[:tokens]", least: [0], required: 0, make: (name, [tokens = 40_000]) => tokenBudget(name, tokens) },
  { name: "keep-last", form: ":results[:batch]", least: [0, 1], required: 1, make: (name, [keep = 0, batch = 1]) => keepLast(name, keep, batch) },
  {
    name: "clear_tool_uses_20250919",
    form: "[:trigger[:keep[:at-least]]]",
    least: [0, 0, 0],
    required: 0,
    make: (name, [trigger = 100_000, keep = 3, clearAtLeast = 0]) => clearToolUses(name, { trigger, keep, clearAtLeast }),
  },
];

/** The syntax of each policy, for help texts. */
export const POLICY_FORMS: readonly string[] = POLICIES.map(({ name, form }) => `${name}${form}`);

/** Returns the policy with that name, such as `balanced`, `sliding-window:20` or `keep-last:3:10`, or one written as JSON. */
export function policyNamed(name: string): ReplayPolicy {
  if (/^\s*[[{]/.test(name)) return writtenPolicy(name);
  const [kind, ...written] = name.split(":");
  const policy = POLICIES.find((other) => other.name === kind);
  const numbers = written.map((digits) => (/^\d+$/.test(digits) ? Number(digits) : NaN));
  if (policy === undefined || numbers.length < policy.required || !numbers.every((number, place) => fits(number, policy.least[place]))) {
    const likely = policy === undefined ? POLICIES.map((other) => [other.name, ...written].join(":")) : [];
    throw invalid("INVALID_OPTION", "policy", `one of ${POLICY_FORMS.join(", ")}`, name, likely);
  }
  return policy.make(name, numbers);
}

function fits(number: number, least: number | undefined): boolean {
  return least !== undefined && Number.isSafeInteger(number) && number >= least;
}
