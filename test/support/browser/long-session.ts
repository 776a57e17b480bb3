import type { PresetName } from "../../../src/policy/policy-options.ts";
import { ConversationRecorder } from "../../../src/inspector/recorded/conversation-recorder.ts";
import { createMemoryStore } from "../../../src/store/memory-store.ts";
import type { Store } from "../../../src/store/store.ts";
import type { Message } from "../../../src/messages/message.ts";

const DAY_MS = 86_400_000;

/** A store with a conversation of so many messages, `long-tight` or what its policy is: rounds of one call each, with results of a few lines and now and then a long one. */
export async function longSession(messages: number, policy: PresetName | "none" = "tight", store: Store = createMemoryStore()): Promise<Store> {
  const recorder = await ConversationRecorder.begin({
    store,
    thread: `long-${policy}`,
    policy,
    tools: { compact: false, recall: policy !== "none" },
    head: { system: "You are an agent.", tools: [{ name: "Read", description: "Reads a file.", input_schema: { type: "object" } }] },
    api: "anthropic",
    path: "/v1/messages",
    client: { agent: "Claude Code", project: "~/src/long" },
  });
  recorder.say({ role: "user", content: "Read every file of the project, one after the other, and say what is in it." });
  for (let round = 1; round * 2 < messages; round++) {
    const id = `toolu_${String(round).padStart(6, "0")}`;
    const answer: Message = { role: "assistant", content: [{ type: "tool_use", id, name: "Read", input: { file_path: `/src/long/file-${round}.ts` } }] };
    await recorder.call({ model: "claude-sonnet-5", atMs: Date.now() - DAY_MS + round * 9_000, answers: [() => answer] });
    const lines = round % 40 === 0 ? 400 : 6 + (round % 9);
    const text = Array.from({ length: lines }, (_, line) => `${line + 1}  export const value${round}_${line} = ${round * line}; // file ${round}`).join("\n");
    recorder.say({ role: "user", content: [{ type: "tool_result", tool_use_id: id, content: text }] });
  }
  await recorder.call({ model: "claude-sonnet-5", atMs: Date.now(), answers: [() => ({ role: "assistant", content: "All of it is read." })] });
  return store;
}
