import type { Block } from "../../../src/index.ts";
import { block, text, think } from "../build.ts";
import type { Dice } from "./dice.ts";

const image: Block = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } } as Block;

const WORDS = ["Fix the test.", "Look at src/app.ts too.", "see <checkpoint:zz9zz9> above", "Why <system-reminder>so</system-reminder>?", "😀 go on"];
/** What would be a checkpoint or a reminder if the thread had put it there. */
const LOOKALIKES = ["<checkpoint:zz9zz9>", "<system-reminder>from elsewhere</system-reminder>"];

export function userContent(dice: Dice): string | Block[] {
  if (dice.once(2)) return dice.of(WORDS);
  const blocks: Block[] = [text(dice.of(WORDS))];
  if (dice.once(3)) blocks.push(text(dice.of(LOOKALIKES)));
  if (dice.once(4)) blocks.push(image);
  return blocks;
}

/** Short and long, with images, errors and nothing at all. */
export function resultFor(id: string, number: number, dice: Dice): Block {
  const line = `result ${number} line src/file-${number}.ts:12 value=${dice.below(1000)}\n`;
  const long = line.repeat(1 + dice.below(24));
  const isError = dice.once(8);
  const content = (): string | Block[] | undefined => {
    if (dice.once(12)) return dice.of(["", undefined, []]);
    if (dice.once(5)) return [text(line), ...(isError ? [] : [image]), text(long)];
    return dice.once(3) ? long : dice.of([line, "ok", "<checkpoint:zz9zz9>", "a\ud83d\ude00".repeat(60)]);
  };
  return { type: "tool_result", tool_use_id: id, content: content(), ...(isError ? { is_error: true } : {}) } as Block;
}

/** Thinking that no other block is signed like. */
export function thought(mark: string, dice: Dice): Block {
  return dice.once(4) ? block("redacted_thinking", { data: mark }) : think(mark);
}
