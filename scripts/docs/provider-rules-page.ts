/** `docs/provider-rules.md`, from the table of rules and the code that reports them. */
import type { Evidence, ProviderRule, RuleGroup } from "../../src/messages/rules/table/provider-rule.ts";
import { PROVIDER_RULES, RULES_AS_OF } from "../../src/messages/rules/table/provider-rules.ts";
import type { Citation } from "./rule-citations.ts";

const EVIDENCE: Readonly<Record<Evidence, string>> = {
  docs: "official documentation or SDK types",
  issue: "an error in a public issue",
  live: "somebody else's test against the live API",
  claim: "a claim without proof",
  source: "the source code",
};

/** Rules such as "B1" have no numbered group: they stand under the provider's heading. */
const hasOwnNumber = ({ id }: RuleGroup): boolean => /\d/.test(id);

export function providerRulesPage(checks: ReadonlyMap<string, readonly string[]>): string {
  return [
    "# Provider rules",
    `What each provider accepts in the messages of a request. A number such as \`A2.1\` in a finding of \`checkMessages\`, in the
sources or in a test is a rule of this page.`,
    `The rules were collected by ${RULES_AS_OF} from documentation, SDK types and public issues. **None of them was tried against a live API for
this page.** Each rule says where it was seen:`,
    Object.entries(EVIDENCE)
      .map(([kind, meaning]) => `- _${kind}_: ${meaning}`)
      .join("\n"),
    "In the providers' own words, `X`, `N` and `M` stand for what varies, and `…` for what is left out.",
    "This page is written by `npm run docs` from `src/messages/rules/table`. Change the table, not the page.",
    overview(),
    ...PROVIDER_RULES.flatMap(({ name, groups }) => [`## ${name}`, ...groups.flatMap((group) => section(group, checks))]),
  ].join("\n\n");
}

function overview(): string {
  const rows = PROVIDER_RULES.flatMap(({ name, groups }) =>
    groups.map((group) => {
      const { title, rules } = group;
      const numbers = [rules[0]?.number, rules.at(-1)?.number].filter((number, index, all) => all.indexOf(number) === index).join(" to ");
      return `| ${numbers} | ${name} | ${hasOwnNumber(group) ? title : "Messages and tools"} |`;
    }),
  );
  return ["| rules | provider | about |", "| --- | --- | --- |", ...rows].join("\n");
}

function section(group: RuleGroup, checks: ReadonlyMap<string, readonly string[]>): string[] {
  const { id, title, rules } = group;
  const isUnnumbered = rules.every(({ number }) => number === id);
  const heading = hasOwnNumber(group) ? [`### ${id}: ${title}`] : [];
  const judges = (rule: ProviderRule): string => judgedBy(rule, [...(checks.get(rule.number) ?? []), ...(checks.get(id) ?? [])]);
  if (!isUnnumbered) return [...heading, ...rules.flatMap((rule) => [`#### ${rule.number}`, ...paragraphs(rule), judges(rule)])];
  const [first] = rules;
  return [...heading, ...rules.flatMap((rule) => paragraphs(rule)), ...(first === undefined ? [] : [judges(first)])];
}

function paragraphs({ rule, errors, seen, note }: ProviderRule): string[] {
  const words = errors.length === 0 ? [] : [["```text", ...errors, "```"].join("\n")];
  const where = seen.map(([kind, place]) => `_${kind}_ ${place}`).join("; ");
  return [rule, ...words, ...(note === undefined ? [] : [note]), `Seen in: ${where}.`];
}

function judgedBy({ kept }: ProviderRule, names: readonly string[]): string {
  if (kept !== undefined) return `Not reported by a check. ${kept}`;
  return `Reported by ${listed([...new Set(names)])}.`;
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}

/** Returns the faults of the table, the citations, or both together. */
export function ruleFaults(cited: readonly Citation[], checks: ReadonlyMap<string, readonly string[]>): string[] {
  const groups = PROVIDER_RULES.flatMap(({ groups }) => groups);
  const rules = groups.flatMap((group) => group.rules.map((rule) => ({ group, rule })));
  const known = new Set([...groups.map(({ id }) => id), ...rules.map(({ rule }) => rule.number)]);
  const citedRules = new Map(cited.filter(({ at }) => /^(src|test|docs)\//.test(at)).map(({ rule, at }) => [rule, at]));
  const numbers = rules.filter(({ group, rule }) => rule.number !== group.id).map(({ rule }) => rule.number);
  return [
    ...cited.filter(({ rule }) => !known.has(rule)).map(({ rule, at }) => `${at}: cites ${rule}, which is in no table of src/messages/rules/table`),
    ...[...new Set(rules.map(({ rule }) => rule.number))]
      .filter((number) => !citedRules.has(number))
      .map((number) => `${number}: in the table, but cited nowhere`),
    ...numbers.filter((number, index) => numbers.indexOf(number) !== index).map((number) => `${number}: twice in the table`),
    ...rules.flatMap(({ group, rule }) => {
      const isReported = checks.has(rule.number) || checks.has(group.id);
      if (isReported && rule.kept !== undefined) return [`${rule.number}: a check reports it, so \`kept\` is not true`];
      if (!isReported && rule.kept === undefined) return [`${rule.number}: no check reports it, so \`kept\` has to say how it is kept`];
      return [];
    }),
    ...[...checks.keys()].filter((number) => !known.has(number)).map((number) => `${number}: a check reports it, but it is in no table`),
  ];
}
