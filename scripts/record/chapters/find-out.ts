import { bash, firstHit, grep, hitsOf, read, readLines } from "../calls.ts";
import { agent, failingAgent, user, type Session } from "../record-session.ts";

/** From the list of files to the three that decide what a range takes out. */
export function* findOut(): Session {
  yield user(
    "Find out how render() decides what a range takes out when its border lies inside a round, that is, between a call and its result. " +
      "Then add a test for exactly that, run it, and leave types, lint and format clean. The repository is in /repo. Begin with the code; change nothing yet.",
  );
  const [listing] = yield agent("I start with the layout of the repository.", bash("ls -A1"), bash("git log --oneline"));
  const guides = (listing?.text ?? "").split("\n").filter((name) => name === "ARCHITECTURE.md" || name === "CONTRIBUTING.md");
  yield agent("How the parts belong together, and how to work on them, is written down.", ...guides.map(read));
  const [sizes] = yield agent(
    "Now the sources with their sizes, and how they are checked.",
    bash("find src -name '*.ts' | sort | xargs wc -l"),
    read("package.json"),
    read("tsconfig.json"),
  );
  const total = /(\d+) total/.exec(sizes?.text ?? "")?.[1] ?? "some";
  const [definition, uses] = yield agent(
    `${total} lines in all. I look for render itself and for those who use it.`,
    grep("export function render\\b", "src"),
    grep("\\brender\\(", "src"),
  );
  const renderAt = firstHit(definition);
  yield agent(
    `It is defined in ${renderAt.path}, line ${renderAt.line}, and called in ${new Set(hitsOf(uses).map((hit) => hit.path)).size} files. I read it.`,
    read(renderAt.path),
  );
  const [arrange] = yield agent("It is a thin reading of something called arrange.", read("src/edits/arrange.ts"));
  const imported = [...(arrange?.text ?? "").matchAll(/from "\.\/([a-z-]+\.ts)"/g)].map((match) => match[1] ?? "");
  yield agent(
    `arrange.ts puts ${imported.length} files of its folder together. Coverage is what says what is taken out; spans say which ranges count at all. I read both.`,
    read("src/edits/coverage.ts"),
    read("src/edits/spans.ts"),
  );
  yield failingAgent("The shape of a range should be in a file of its own.", read("src/edits/range.ts"));
  const [shape] = yield agent("It is not. I search for it.", grep("replace-range", "src/edits"), bash("ls -1 src/edits"));
  const shapeAt = hitsOf(shape).find((hit) => hit.text.includes("readonly from:")) ?? firstHit(shape);
  yield agent(
    `The shape is in ${shapeAt.path} at line ${shapeAt.line}. Edits carry more than that, and places are a type of their own.`,
    ...[...new Set([shapeAt.path, "src/edits/edit.ts", "src/messages/place.ts", "src/edits/edit-places.ts"])].map(read),
  );
  yield agent("Next: how a result is matched with its call, since the border lies between the two.", read("src/messages/index-log.ts"));
  const [settle] = yield agent("In coverage.ts the word for a result that is kept is 'staying'. I collect all uses of it.", grep("stay", "src/edits"));
  const stayingAt = hitsOf(settle).find((hit) => /stay\(result/.test(hit.text)) ?? firstHit(settle);
  yield agent(
    `The decision is around line ${stayingAt.line} of ${stayingAt.path}. I read that part once more, closely.`,
    readLines(stayingAt.path, Math.max(1, stayingAt.line - 16), 24),
  );
  yield agent("Where the summary goes is another question; that has to be settled somewhere too.", read("src/edits/summaries.ts"));
  const [order, checks] = yield agent(
    "What about edits that cannot be? A border has to be somewhere.",
    grep("validateEdit|validateRange|borderOf", "src/edits"),
    bash("grep -c throw src/edits/*.ts"),
  );
  yield agent(
    `${hitsOf(order).length} lines on it, and ${(checks?.text ?? "").split("\n").filter((row) => !row.endsWith(":0")).length} files of the folder refuse something. I read the checks.`,
    read(firstHit(order, /validate/).path),
  );
  yield agent("And the last step, which writes the view.", read("src/edits/view-writer.ts"), read("src/edits/changed-messages.ts"));
}
