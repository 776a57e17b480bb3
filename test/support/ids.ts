/** Ids as providers, gateways and tests write them; `tricky` ones are also names of object members. */
export type IdStyle = "toolu" | "call" | "short" | "tricky";

const TRICKY: readonly string[] = ["__proto__", "constructor", "toString", "hasOwnProperty", "-", "_", "0", "length"];

export function idFor(style: IdStyle, count: number): string {
  switch (style) {
    case "toolu":
      return `toolu_01${count.toString(36).padStart(6, "0")}`;
    case "call":
      return `call_${count}`;
    case "short":
      return count.toString(36);
    case "tricky":
      return TRICKY[count - 1] ?? `t-${count}`;
  }
}

/** Six of [a-z0-9], different for every count. */
export function checkpointId(count: number): string {
  return ((count * 7_654_321) % 36 ** 6).toString(36).padStart(6, "0");
}
