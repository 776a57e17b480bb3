/** Generated texts of any script or block of symbols: characters at random, words of them, runs and frames. */
import type { Random } from "../../bench/threads/random.ts";

/** The assigned characters between two code points, by a property of Unicode. */
export function charactersOf(first: number, last: number, property: RegExp = /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u): string[] {
  const found: string[] = [];
  for (let code = first; code <= last; code++) {
    const character = String.fromCodePoint(code);
    if (property.test(character)) found.push(character);
  }
  return found;
}

export function atRandom(random: Random, characters: readonly string[], count: number): string {
  return Array.from({ length: count }, () => random.pick(characters)).join("");
}

/** Returns words of realistic lengths. */
export function wordsOf(random: Random, characters: readonly string[], count: number): string {
  return Array.from({ length: count }, () => atRandom(random, characters, random.integer(2, 9))).join(" ");
}

export function runsOf(random: Random, characters: readonly string[], count: number): string {
  return Array.from({ length: count }, () => random.pick(characters).repeat(random.integer(1, 40))).join(random.pick([" ", "\n"]));
}

const FRAMES: readonly string[] = ["┌┬┐├┼┤└┴┘─│", "╔╦╗╠╬╣╚╩╝═║", "┏┳┓┣╋┫┗┻┛━┃", "╭┬╮├┼┤╰┴╯─│", "┏┳┓┡╇┩└┴┘━│", "╒╤╕╞╪╡╘╧╛═│"];

/** A table with a frame, as terminals draw them. */
export function frame(random: Random, cell: () => string): string {
  const [topLeft, top, topRight, left, cross, right, bottomLeft, bottom, bottomRight, across = "", down = ""] = Array.from(random.pick(FRAMES));
  const widths = Array.from({ length: random.integer(1, 5) }, () => random.integer(3, 24));
  const rule = (begin = "", middle = "", end = ""): string => begin + widths.map((width) => across.repeat(width + 2)).join(middle) + end;
  const row = (): string => down + widths.map((width) => ` ${cell().slice(0, width).padEnd(width)} `).join(down) + down;
  const rows = Array.from({ length: random.integer(2, 8) }, row);
  return [rule(topLeft, top, topRight), rows[0], rule(left, cross, right), ...rows.slice(1), rule(bottomLeft, bottom, bottomRight)].join("\n");
}

/** Returns progress output of a terminal. */
export function progress(random: Random): string {
  const [full, empty] = random.pick([
    ["█", "░"],
    ["━", "╺"],
    ["█", " "],
    ["▓", "░"],
    ["■", "□"],
    ["●", "○"],
    ["▰", "▱"],
  ] as const);
  const done = random.integer(0, 30);
  return `${random.pick(["", "⠋ ", "⠙ ", "⠹ ", "⠸ ", "⠼ ", "⠴ ", "⠦ ", "⠧ ", "⠇ ", "⠏ "])}${full.repeat(done)}${empty.repeat(30 - done)} ${random.integer(0, 100)}%`;
}

const PEOPLE: readonly string[] = Array.from("👩👨🧑👧👦👶👵👮🕵💂👷👸🤴");
const GESTURES: readonly string[] = Array.from("👍👎👏🙏👋✋👊✊💪🤝🤞🙌");
const THINGS: readonly string[] = Array.from("💻🔬🎨🚀🏫⚕⚖✈🌾🍳🎓🎤🏭🔧💼");
const COMMON: readonly string[] = Array.from("✅❌⚠🚀🔥✨🎉📦🐛🔧📝💡⚡🔒👍❤😀😂🙏👏🎨🚧♻🌍📚🔍🏠⭐➡✓✗●▶◆★☆☐☑✔✖❗❓");

/** Emoji as they are written: common ones, any, with skin tones, joined, and flags. */
export function emoji(random: Random): string {
  const tone = String.fromCodePoint(0x1f3fb + random.integer(0, 4));
  return random.pick<() => string>([
    () => random.pick(COMMON),
    () => random.pick(COMMON),
    () => String.fromCodePoint(random.integer(0x1f300, 0x1f64f)),
    () => String.fromCodePoint(random.integer(0x1f900, 0x1f9ff)),
    () => String.fromCodePoint(random.integer(0x1f680, 0x1f6c5)),
    () => random.pick(GESTURES) + tone,
    () => `${random.pick(PEOPLE)}${random.chance(0.5) ? tone : ""}\u200d${random.pick(THINGS)}`,
    () => `${random.pick(["❤", "⚠", "☀", "✔", "♻", "☎"])}\ufe0f`,
    () => flag(random),
  ])();
}

export function flag(random: Random): string {
  return Array.from({ length: 2 }, () => String.fromCodePoint(0x1f1e6 + random.integer(0, 25))).join("");
}
