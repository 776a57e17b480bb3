import { PRESETS, type PolicyNumbers, type PresetName } from "../../../src/policy/policy-options.ts";

/** The numbers of a setting so far (0 to 1) on the way from one preset to another; what is on or off is as at the end of the way. */
export function between(from: PresetName, to: PresetName, share: number): PolicyNumbers {
  const start = new Map<string, number | boolean>(Object.entries(PRESETS[from]));
  const mixed = Object.entries<number | boolean>({ ...PRESETS[to] }).map(([name, end]) => {
    const begin = start.get(name);
    // Where 0 means "off", there is no way from it to a size.
    const isWay = typeof begin === "number" && typeof end === "number" && begin > 0 && end > 0;
    if (!isWay) return [name, end];
    const mixed = begin + share * (end - begin);
    return [name, Number.isInteger(begin) && Number.isInteger(end) ? Math.round(mixed) : mixed];
  });
  return Object.fromEntries(mixed) as PolicyNumbers;
}
