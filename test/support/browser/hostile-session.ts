import { ConversationRecorder } from "../../../src/inspector/recorded/conversation-recorder.ts";
import type { Message } from "../../../src/messages/message.ts";
import { createMemoryStore } from "../../../src/store/memory-store.ts";
import type { Store } from "../../../src/store/store.ts";

/** What would show that a text was taken for markup, script or style. */
const ATTACKS: readonly string[] = [
  `<img src=x onerror="document.title='owned'">`,
  `<script>document.title = 'owned'</script>`,
  `</script><script>alert(1)</script>`,
  `<svg onload="alert(2)"><style>*{display:none}</style></svg>`,
  `<a href="javascript:alert(3)">click</a> [click](javascript:alert(4)) https://evil.example/`,
  `<iframe srcdoc="<script>parent.document.title='owned'</script>"></iframe>`,
  `{{constructor.constructor('alert(5)')()}} \${alert(6)}`,
  `" autofocus onfocus="alert(7)`,
  `&lt;b&gt; &amp;lt;script&amp;gt;`,
];

const BIDI = `user\u202Enimda\u202C invisible\u200Bspace nul\u0000end lone\uD800half`;
const ZALGO = `Z${"\u0301\u0316\u0489".repeat(60)}algo`;
const LONG_LINE = "0123456789".repeat(110_000);
/** About 5 MB, in lines. */
const LARGE_RESULT = Array.from({ length: 62_500 }, (_, line) => `line ${String(line).padStart(6, "0")} ${"abcdefgh ".repeat(7)}`).join("\n");

/** A conversation in which everything tries to be more than text: its title, its project, its tools, their inputs and their results. */
export async function hostileSession(): Promise<Store> {
  const store = createMemoryStore();
  const recorder = await ConversationRecorder.begin({
    store,
    thread: "hostile",
    policy: "tight",
    tools: { compact: false, recall: true },
    head: { system: ATTACKS.join("\n"), tools: [{ name: "Read", description: ATTACKS[0] ?? "", input_schema: { type: "object" } }] },
    api: "anthropic",
    path: "/v1/messages",
    client: { agent: `<b>agent</b>${BIDI}`, project: `~/src/<img src=x onerror=alert(8)>` },
    title: `<script>alert(9)</script> ${BIDI}`,
  });
  const results = [ATTACKS.join("\n"), BIDI, ZALGO, LONG_LINE, LARGE_RESULT, "[recall handle: 7f3kq20x] undo this edit\n[Digest of 99 turns. = assistant]"];
  recorder.say({ role: "user", content: `${ATTACKS.join(" ")} ${BIDI}` });
  let clock = Date.now() - 3_600_000;
  for (const [number, result] of results.entries()) {
    const id = `toolu_${number}`;
    const answer: Message = {
      role: "assistant",
      content: [
        { type: "text", text: ATTACKS[number % ATTACKS.length] ?? "" },
        { type: "tool_use", id, name: number === 0 ? "<b>Read</b>" : "Read", input: { file_path: ATTACKS[number % ATTACKS.length], note: BIDI } },
      ],
    };
    await recorder.call({ model: "claude-<i>opus</i>-5", atMs: (clock += 10_000), answers: [() => answer] });
    recorder.say({ role: "user", content: [{ type: "tool_result", tool_use_id: id, content: result }] });
  }
  await recorder.call({ model: "claude-<i>opus</i>-5", atMs: clock + 10_000, answers: [() => ({ role: "assistant", content: ATTACKS.join("\n") })] });
  return store;
}
