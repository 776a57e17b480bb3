import { checkMessages, type Finding, type Message } from "../../src/index.ts";
import { expectWork } from "../subject.ts";

/** Invalid or unshortened messages do not count as speed: the output must be smaller and must not add faults. */
export function expectSmaller(name: string, before: readonly Message[], after: readonly Message[]): string {
  const [charsBefore, charsAfter] = [JSON.stringify(before).length, JSON.stringify(after).length];
  expectWork(charsAfter < charsBefore, name, `${charsAfter} of ${charsBefore} characters are left`);
  const known = countByRule(checkMessages(before));
  for (const [rule, count] of countByRule(checkMessages(after))) {
    expectWork(count <= (known.get(rule) ?? 0), name, `it added ${count - (known.get(rule) ?? 0)} faults against rule ${rule}`);
  }
  return `${after.length} of ${before.length} messages left, ${Math.round((100 * charsAfter) / charsBefore)} % of the characters`;
}

function countByRule(findings: readonly Finding[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { rule } of findings) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return counts;
}
