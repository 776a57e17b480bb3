import { bash, edit, grep, hitsOf, readLines, type Hit } from "../calls.ts";
import { agent, failingAgent, user, type Session } from "../record-session.ts";
import type { Result } from "../tools.ts";
import { TEST_FILE } from "./add-test.ts";

/** Would the test notice a fault? Breaks the decision, looks, and takes it back. */
export function* breakOnPurpose(): Session {
  yield agent(`The test is in ${TEST_FILE}; types, lint and format are clean.`);
  yield user("Would it notice if the decision were wrong? Break it on purpose, show me what happens, and take it back.");
  const [found] = yield agent(
    "What happens to a result hangs on two conditions in coverage.ts: one lets it stay, the other lets it go.",
    grep("if \\(.*(stay|drop)\\(result", "src/edits/coverage.ts"),
  );
  const staying = lineWith(found, "stay(");
  const going = lineWith(found, "drop(");
  yield agent(`Line ${staying.line} lets it stay. I switch it off.`, edit(staying.path, staying.text, switchedOff(staying)));
  yield agent("This is the change.", bash("git diff"));
  const run = bash(`node --test --test-reporter=spec ${TEST_FILE}`);
  const [first] = yield failingAgent("The new test must fail now.", run);
  const count = (word: string, text: string | undefined): string => new RegExp(`${word} (\\d+)`).exec(text ?? "")?.[1] ?? "none";
  yield agent(
    `${count("fail", first?.text)} of ${count("tests", first?.text)} is red, and the difference shows the lost results. I take the change back.`,
    bash(`git checkout ${staying.path} && git diff --stat && echo 'no changes'`),
  );
  yield agent(`The other half is line ${going.line}: a result goes with its call.`, readLines(going.path, going.line - 12, 16));
  yield agent("I switch that off.", edit(going.path, going.text, switchedOff(going)));
  const [second] = yield failingAgent("And run it again.", run);
  yield agent(
    `${count("fail", second?.text)} of ${count("tests", second?.text)} is red here: the result without its call would be an orphan. Back to the original, and all contracts once more.`,
    bash(`git checkout ${going.path} && git status --short`),
  );
  yield agent(
    "The last run.",
    bash(`node --test --test-reporter=spec ${TEST_FILE} "test/contracts/*.test.ts" | tail -n 80`),
    bash(`git diff --no-index --stat /dev/null ${TEST_FILE}; wc -l ${TEST_FILE}`),
  );
  yield agent(
    "Both halves of the decision are held by the test: each one, switched off, turns it red. The sources are as they were; the only new file is the test.",
  );
}

function lineWith(result: Result | undefined, part: string): Hit {
  const hit = hitsOf(result).find(({ text }) => text.includes(part));
  if (hit === undefined) throw new Error(`The decision is written differently now:\n${result?.text ?? "(no result)"}`);
  return hit;
}

function switchedOff({ text }: Hit): string {
  return text.replace("if (", "if (false && ");
}
