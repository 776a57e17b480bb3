import { bash, firstHit, grep, grepTests, hitsOf, read, readLines, write } from "../calls.ts";
import { agent, user, type Session } from "../record-session.ts";

const PROBE = `import { makeEdit } from "./src/edits/edit.ts";
import { render } from "./src/edits/render.ts";

const log = [
  { role: "user", content: "Compare the two files." },
  { role: "assistant", content: [{ type: "text", text: "I read both." }, { type: "tool_use", id: "a", name: "read", input: {} }, { type: "tool_use", id: "b", name: "read", input: {} }] },
  { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "1" }, { type: "tool_result", tool_use_id: "b", content: "2" }] },
  { role: "assistant", content: "They differ." },
  { role: "user", content: "Where?" },
];

const outline = (block) => (block.type === "text" ? block.text : block.type + " " + (block.id ?? block.tool_use_id));
const borders = [[1, 2, 2, 0], [2, 0, 4, 0], [2, 1, 4, 0], [0, 0, 2, 0], [1, 0, 1, 2]];
for (const [fromPosition, fromBlock, toPosition, toBlock] of borders) {
  const from = { position: fromPosition, block: fromBlock };
  const to = { position: toPosition, block: toBlock };
  const edit = makeEdit({ kind: "replace-range", from, to, role: "assistant", summary: "SUMMARY", pass: "probe", reason: "probe", madeAt: 5, tokensBefore: 0, tokensAfter: 0 });
  console.log(fromPosition + "." + fromBlock + " up to " + toPosition + "." + toBlock);
  for (const message of render(log, [edit])) {
    console.log("  " + message.role + ": " + (typeof message.content === "string" ? message.content : message.content.map(outline).join(" | ")));
  }
}
`;

/** What the code says, tried out; which rules it obeys; which tests there are. */
export function* tryOut(): Session {
  yield agent(
    "A result follows its call. If the call is inside the range, the result goes, even if it lies behind the border. If the call is outside, the result stays, and the summary " +
      "waits until the round is over. That is what I read; I have not seen it happen yet.",
  );
  yield user("Try it before you write a test. And tell me which rules of the provider this is about, and whether a test covers it already.");
  yield agent("I write a small program that renders one log with five different ranges.", write("probe.mjs", PROBE));
  yield agent("Its first two borders lie between calls and results.", bash("node probe.mjs"));
  const [again] = yield agent(
    "It behaves as I read it. Which rules does coverage.ts name?",
    bash("grep -oE 'A[0-9]\\.[0-9]+' src/edits/coverage.ts | sort | uniq -c"),
  );
  const named = [...(again?.text ?? "").matchAll(/A\d\.\d+/g)].map(([rule]) => rule);
  const [rules, messages] = yield agent(
    `${named.join(", ")}. I look for them, and for the provider's own words.`,
    grep(named.map((rule) => `${rule.replace(".", "\\.")}\\b`).join("|"), "src"),
    grep("must have a corresponding", "src/messages"),
  );
  const places = new Set(hitsOf(rules).map((hit) => hit.path));
  const wording = firstHit(messages, /\/tools\.ts$/);
  yield agent(`${places.size} files cite them; the provider's own words are in ${wording.path}.`, read(wording.path));
  yield agent("What messages and blocks are, for the test to come.", read("src/messages/message.ts"), read("src/messages/check-messages.ts"));
  const [tests, ...ranges] = yield agent(
    "Which tests are there, and which of them make ranges?",
    bash("find src test -name '*.test.ts' | sort | xargs wc -l"),
    grepTests("replace-range", "src"),
    grepTests("replace-range", "test"),
  );
  const files = [...(tests?.text ?? "").matchAll(/\S+\.test\.ts/g)].map(([path]) => path);
  const covering = [...Map.groupBy(ranges.flatMap(hitsOf), (hit) => hit.path)].toSorted(([, a], [, b]) => b.length - a.length).map(([path]) => path);
  // Property tests take long, and those of the command line need the recording that is being made.
  const example = covering.find((path) => !/^src\/cli\/|propert|^test\/support\//.test(path)) ?? "src/cli/table.test.ts";
  yield agent(
    `${files.length} test files; ${covering.length === 0 ? "none of them makes a range" : `${covering.length} of them make ranges`}. I look at one of them to see how tests are written here, and run it.`,
    readLines(example, 1, 120),
    bash(`node --test --test-reporter=spec ${example} | tail -n 60`),
  );
  yield agent("Nothing of the probe stays behind.", bash("rm probe.mjs && git status --short && echo clean"));
}
