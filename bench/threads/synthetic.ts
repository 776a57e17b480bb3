import type { Block, Message } from "../../src/index.ts";
import { textBlock } from "./parts.ts";
import { createRandom, type Random } from "./random.ts";
import { resultLength, toolText } from "./text.ts";
import { throughJson } from "./through-json.ts";

const TOOLS: readonly string[] = ["read_file", "bash", "grep", "edit_file", "list_files", "web_fetch"];

/**
 * Returns an agent's session with exactly `pairs` call/result pairs. One round in six calls several tools at once, some turns think, some
 * have text, the user speaks now and then, some results are errors or arrays of text blocks. Equal seeds produce equal threads.
 */
export function syntheticThread(pairs: number, seed: number = pairs): Message[] {
  const random = createRandom(seed);
  const messages: Message[] = [{ role: "user", content: "Find out why the session test fails, fix it, and keep the public API as it is." }];
  let calls = 0;
  while (calls < pairs) {
    const size = Math.min(pairs - calls, random.chance(1 / 6) ? random.integer(2, 4) : 1);
    const ids = Array.from({ length: size }, (_, index) => `toolu_${String(calls + index).padStart(20, "0")}`);
    calls += size;
    const asksUser = random.chance(0.05);
    messages.push(
      { role: "assistant", content: [...preamble(random), ...ids.map((id) => call(random, id))] },
      { role: "user", content: [...ids.map((id) => result(random, id)), ...reminder(random)] },
    );
    if (asksUser && calls < pairs) {
      messages.push(
        { role: "assistant", content: [textBlock("The first part is done. Shall I go on with the second one?")] },
        { role: "user", content: "Yes, go on. Do not touch the migrations." },
      );
    }
  }
  // Flat strings, no shared parts.
  return throughJson(messages);
}

function preamble(random: Random): Block[] {
  const blocks: Block[] = [];
  if (random.chance(0.3)) blocks.push({ type: "thinking", thinking: toolText(random, 300), signature: "c2lnbmF0dXJl" } as Block);
  if (random.chance(0.4)) blocks.push(textBlock("Let me look at that more closely."));
  return blocks;
}

function call(random: Random, id: string): Block {
  const name = random.pick(TOOLS);
  return { type: "tool_use", id, name, input: { path: `src/module-${random.integer(1, 400)}.ts`, limit: 200, pattern: "createSession" } } as Block;
}

function result(random: Random, id: string): Block {
  const content = toolText(random, resultLength(random));
  const shape = random.next();
  if (shape < 0.03) return { type: "tool_result", tool_use_id: id, content, is_error: true } as Block;
  if (shape < 0.1) return { type: "tool_result", tool_use_id: id, content: [textBlock(content)] } as Block;
  return { type: "tool_result", tool_use_id: id, content } as Block;
}

function reminder(random: Random): Block[] {
  return random.chance(0.05) ? [textBlock("<system-reminder>The file was changed by someone else.</system-reminder>")] : [];
}
