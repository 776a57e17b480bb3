/** The commands on histories: exit codes, streams and files are part of what they promise. */
import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { agentRun, GREP_OUTPUT, type AgentRun } from "../../../test/support/history/agent-run.ts";
import { POSTGRES_PASSWORD, startPostgres, type Postgres } from "../../../test/support/postgres.ts";
import { refusesEach, runCli, type CliRun, type CliRunOptions } from "../../../test/support/run-cli.ts";
import { openHistory, type Commit, type Edit, type Verification } from "../../history/index.ts";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
const FIXTURES = fileURLToPath(new URL("../../../test/fixtures/transcripts/", import.meta.url));
/** JSONL with a damaged line, and a ZIP archive of two samples. */
const LINES = join(FIXTURES, "pi.jsonl");
const LINES_THREAD = "pi/b1000000-0000-4000-8000-000000000000";
const ARCHIVE = join(FIXTURES, "inspect.eval");
/** A name that would do harm in SQL or in a shell, and an escape that would in a terminal. */
const HOSTILE = `x'; DROP TABLE palimpsest_threads; -- "$(rm)"`;

const directory = mkdtempSync(join(tmpdir(), "palimpsest-history-cli-"));
after(() => rmSync(directory, { recursive: true }));

// Days and times are printed in the time zone of the process.
process.env["TZ"] = "UTC";

function run(args: readonly string[], options: Pick<CliRunOptions, "input" | "env"> = {}): Promise<CliRun> {
  return runCli(args, { cwd: directory, ...options });
}

async function json<T>(...args: readonly string[]): Promise<T> {
  const { code, out, err } = await run([...args, "--json"]);
  assert.deepEqual([code, err], [0, ""]);
  return JSON.parse(out) as T;
}

async function lines(...args: readonly string[]): Promise<string> {
  const { code, out, err } = await run(args);
  assert.deepEqual([code, err], [0, ""]);
  return out;
}

/** Makes a thread with two edits, a branch and text that a terminal must not see. Returns the address of its store. */
async function seed(name: string, thread = "agent run"): Promise<{ store: string; said: AgentRun; edit: Commit }> {
  const store = `sqlite:${name}`;
  const history = await openHistory({ store: `sqlite:${join(directory, name)}`, thread });
  const said = await agentRun(history);
  const edit = await history.toolResult("c1", "grep", "60 places", { edit: said.grepResult, reason: "only the count matters" });
  await history.branch("other", { at: said.answer });
  await history.switch("other");
  await history.user("red \u001b[31m?");
  await history.close();
  return { store, said, edit };
}

interface LogData {
  readonly store: string;
  readonly thread: string;
  readonly branch: string;
  readonly length: number;
  readonly commits: readonly (Commit & { readonly sequence: number })[];
}

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  import: ["<file>", "--thread", "--trajectory", "--format", "- for standard input"],
  threads: ["--limit", "--after"],
  branches: ["--thread"],
  log: ["--thread", "--branch", "--limit", "--all", "--before", "--kind"],
  show: ["<hash>", "--view", "--branch"],
  find: ["--tool", "--text", "--errors", "--min-tokens", "--after", "--before", "--calls", "--results", "--turns"],
  diff: ["<a>", "[b]", "--full"],
  undo: ["<edit>", "--reason"],
  export: ["--output"],
  verify: ["--thread"],
  retain: ["--older-than", "--yes"],
  forget: ["<thread>", "--yes"],
};

describe("--help", { concurrency: 2 }, () => {
  for (const [command, parts] of Object.entries(COMMANDS)) {
    test(`${command} names its options, its --json and its exit codes`, async () => {
      const out = await lines(command, "--help");
      for (const part of [`Usage: palimpsest ${command} `, ...parts, "--store", "PALIMPSEST_STORE", "--json: {", "Examples:", "Exit codes:"])
        assert.ok(out.replace("--json (the report; on standard error without -o): {", "--json: {").includes(part), part);
    });
  }

  test("a branch is chosen only where one is read or written", async () => {
    for (const command of Object.keys(COMMANDS)) {
      const takesBranch = ["log", "show", "find", "diff", "undo"].includes(command);
      assert.equal((await lines(command, "--help")).includes("--branch"), takesBranch, command);
    }
  });

  test("the commands are listed", async () => {
    const out = await lines("--help");
    for (const command of Object.keys(COMMANDS)) assert.match(out, new RegExp(`^  ${command} `, "m"));
  });
});

describe("import", { concurrency: 2 }, () => {
  test("each trajectory of a file becomes a thread, and the store is made", async () => {
    const store = "sqlite:import.db";
    const data = await json<object>("import", ARCHIVE, "--store", store);
    assert.deepEqual(data, {
      store,
      file: ARCHIVE,
      format: "inspect",
      threads: [
        { thread: "inspect/ranges/1", trajectory: "ranges/1", messages: 28, commits: 28, tokens: 1514, calls: 10 },
        { thread: "inspect/2/1", trajectory: "2/1", messages: 5, commits: 5, tokens: 820, calls: 2 },
      ],
      damaged: [],
    });
    const out = await lines("import", LINES, "--store", store);
    assert.match(out, /^Line 38 could not be read and was left out: .*\n1 thread, 33 commits imported into sqlite:import\.db\n/);
    const { threads } = await json<{ threads: readonly { id: string; commits: number; time: number }[] }>("threads", "--store", store);
    // The commits have the times of the sessions, not of the import.
    assert.deepEqual(threads.map(({ id, commits, time }) => [id, commits, time > 1.7e12 && time < 1.79e12]), [["inspect/2/1", 5, true], ["inspect/ranges/1", 28, true], [LINES_THREAD, 33, true]]); // prettier-ignore
    // An existing thread is never written to, and this is checked before a second file is begun.
    const again = await run(["import", ARCHIVE, "--store", store]);
    assert.match(again.err, /There is already a thread "inspect\/ranges\/1" in sqlite:import\.db\. Give another id after --thread/);
    assert.deepEqual([again.code, again.out], [2, ""]);
  });

  test("the log says what the file says, and standard input is read", async () => {
    const { code, out, err } = await run(["import", "-", "--thread", HOSTILE, "--trajectory", "2/1", "--store", "sqlite:stdin.db"], {
      input: readFileSync(ARCHIVE),
    });
    assert.deepEqual([code, err], [0, ""]);
    assert.match(out, /^1 thread, 5 commits imported/);
    const log = await json<LogData>("log", "--store", "sqlite:stdin.db");
    assert.deepEqual([log.thread, log.branch, log.length], [HOSTILE, "main", 5]);
    assert.deepEqual(log.commits.map(({ role, name, sequence }) => [role, name, sequence]), [["user", undefined, 0], ["user", undefined, 1], ["assistant", undefined, 2], ["tool", "write_file", 3], ["assistant", undefined, 4]]); // prettier-ignore
    assert.deepEqual((await json<Verification>("verify", "--thread", HOSTILE, "--store", "sqlite:stdin.db")).ok, true);
  });

  const broken = join(directory, "broken.jsonl");
  writeFileSync(broken, '{"format":"palimpsest-history","version":1,"thread":"t"}\n{"branch":"main"}\n{"commit":{"hash":"1"},"content":{}}\n');
  const REFUSED: Readonly<Record<string, readonly [args: readonly string[], line: RegExp]>> = {
    "a missing file": [["nowhere.json"], /Cannot read nowhere\.json: there is no such file \(UNREADABLE\)/],
    "no transcript": [[MAIN], /UNREADABLE/],
    "one id for several": [[ARCHIVE, "--thread", "x"], /The file holds 2 trajectories, and --thread names one thread\. Give .*: ranges\/1, 2\/1\.$/],
    "an unknown trajectory": [[ARCHIVE, "--trajectory", "9"], /There is no trajectory 9 in the file\. Give one of these: ranges\/1, 2\/1\.$/],
    "a damaged export": [[broken], /line 3\.content: expected the content with the hash/],
    "a blank id": [[LINES, "--thread", " "], /--thread: expected a name of 1 to 200 characters/],
  };
  for (const [name, [args, line]] of Object.entries(REFUSED)) {
    test(`${name} is refused, and no store is made`, async () => {
      const path = `refused-${name.replaceAll(" ", "-")}.db`;
      const { code, out, err } = await run(["import", ...args, "--store", `sqlite:${path}`]);
      assert.match(err.trimEnd(), line);
      assert.deepEqual([code, out, existsSync(join(directory, path))], [2, "", false]);
    });
  }
});

describe("reading a thread", { concurrency: 2 }, () => {
  let store: string;
  let said: AgentRun;
  let edit: Commit;
  before(async () => {
    ({ store, said, edit } = await seed("read.db"));
  });

  test("log lists the last commits, oldest first, and says how many there are before", async () => {
    const out = await lines("log", "--store", store, "-n", "3");
    const [head, earlier, titles, ...rows] = out.trimEnd().split("\n");
    assert.equal(head, "agent run, branch main: 12 commits");
    assert.equal(earlier, `… 9 earlier: --all, or --before ${said.grepAgainResult.hash.slice(0, 10)}`);
    assert.match(titles ?? "", /^commit +\d{4}-\d\d-\d\d +what +tokens$/);
    assert.match(rows[0] ?? "", /^[0-9a-f]{10} {2}\d\d:\d\d:\d\d {4}← grep +7 {2}main\.py:1: import config$/);
    assert.match(rows[1] ?? "", / {2}assistant +4 {2}main\.py does\.$/);
    assert.match(rows[2] ?? "", new RegExp(`  edit grep +\\d  ${said.grepResult.hash.slice(0, 10)}: 1,104 → \\d, only the count matters$`));
    assert.equal(rows.length, 3);
  });

  test("log --before, --kind and --all choose, and the store may come from the environment", async () => {
    const { out } = await run(["log", "--before", said.grep.hash.slice(0, 8), "--json"], { env: { PALIMPSEST_STORE: store } });
    const data = JSON.parse(out) as LogData;
    assert.deepEqual([data.store, data.length, data.commits.map(({ hash }) => hash)], [store, 12, [said.question.hash]]);
    const edits = await json<LogData>("log", "--store", store, "--kind", "edit");
    assert.deepEqual(edits.commits, [{ ...edit, sequence: 11 }]);
    assert.equal((await json<LogData>("log", "--store", store, "--all", "-n", "1")).commits.length, 12);
    assert.deepEqual(Object.keys(edits), ["store", "thread", "branch", "length", "commits"]);
  });

  test("a branch is read by its name, and no escape reaches the terminal", async () => {
    const out = await lines("log", "--store", store, "--branch", "other", "-n", "1");
    assert.match(out, / {2}user +\d+ {2}red {1,2}\[31m\?\n$/);
    assert.ok(!out.includes("\u001b"));
    const { branches } = await json<{ branches: readonly { name: string; length: number; from?: object }[] }>("branches", "--store", store);
    assert.deepEqual(branches.map(({ name, length, from }) => [name, length, from]), [["main", 12, undefined], ["other", 8, { branch: "main", length: 7 }]]); // prettier-ignore
  });

  test("show prints what is known of a commit and all of its content; the beginning of a hash will do", async () => {
    const out = await lines("show", said.grepResult.hash.slice(0, 8).toUpperCase(), "--store", store);
    assert.ok(out.startsWith(`commit   ${said.grepResult.hash}\nparent   ${said.grep.hash}\nwhat     the result of grep\nanswers  c1\n`));
    assert.ok(out.endsWith(`tokens   1,104\n\n${GREP_OUTPUT}\n`));
    const shown = await json<{ commit: Commit; edit: Edit; content: string }>("show", edit.hash, "--store", store);
    assert.deepEqual([shown.commit, shown.content, shown.edit.kind], [edit, "60 places", "replace-result"]);
    assert.deepEqual(Object.keys(shown), ["store", "thread", "branch", "commit", "edit", "content"]);
  });

  test("show --view is the view of that time", async () => {
    const [before, after] = await Promise.all([lines("show", said.grepResult.hash, "--view", "--store", store), lines("show", edit.hash, "--view", "--store", store)]); // prettier-ignore
    assert.equal(before, `0 user\nWhere is the database configured?\n\n1 assistant\n→ grep DATABASE\n\n2 user\n← result of c1\n${GREP_OUTPUT}\n`);
    assert.match(after, /\n2 user\n← result of c1\n60 places\n\n3 assistant\n→ read_file config\.py\n→ ls \{\}\n/);
    const { messages } = await json<{ messages: readonly { role: string }[] }>("show", said.grep.hash, "--view", "--store", store);
    assert.deepEqual(messages.map(({ role }) => role), ["user", "assistant"]); // prettier-ignore
  });

  test("find: by tool, words, size and place", async () => {
    const found = async (...args: readonly string[]): Promise<string[]> =>
      (await json<LogData>("find", ...args, "--store", store)).commits.map(({ hash }) => hash);
    assert.deepEqual(await found("--tool", "ls"), [said.both.hash, said.listResult.hash]);
    assert.deepEqual(await found("--text", "DATABASE conf*"), [said.question.hash, said.grepResult.hash]);
    assert.deepEqual(await found("--results", "--tool", "grep"), [edit.hash, said.grepAgainResult.hash]);
    assert.deepEqual(await found("--calls", "--after", said.both.hash.slice(0, 12)), [said.grepAgain.hash]);
    assert.deepEqual(await found("--min-tokens", "100", "--before", said.both.hash), [said.grepResult.hash]);
    assert.deepEqual(await found("--errors"), []);
    assert.deepEqual(await found("--tool", HOSTILE), []);
  });

  test("find --turns has the calls with their results", async () => {
    const { turns } = await json<{ turns: readonly { call: Commit; resultHashes: string[]; toolNames: string[] }[] }>("find", "--turns", "--store", store);
    assert.deepEqual(turns.map(({ call, resultHashes, toolNames }) => [call.hash, resultHashes, toolNames]), [
      [said.grep.hash, [edit.hash], ["grep"]],
      [said.both.hash, [said.readResult.hash, said.listResult.hash], ["read_file", "ls"]],
      [said.grepAgain.hash, [said.grepAgainResult.hash], ["grep"]],
    ]); // prettier-ignore
    assert.match(await lines("find", "--turns", "--tool", "ls", "--store", store), /^call +time +tools +tokens +results\n.* {2}read_file, ls +\d+ {2}←\w{10} ←\w{10}\n\n1 turn, \d+ tokens\.\n$/); // prettier-ignore
    assert.match(await lines("find", "--errors", "--store", store), /^0 commits, 0 tokens\.\n$/);
  });

  test("diff says what came between and what it did to the view", async () => {
    const out = await lines("diff", said.lastAnswer.hash.slice(0, 10), "--store", store);
    assert.match(out, /^\w{10} → \w{10}: the view goes from 1,1\d\d to \d\d tokens, in 1 place\n\nOnly in the second: 1 commit\n/);
    assert.match(
      out,
      /\n- user\n- {3}← result of c1\n(- {3}src\/config-\d+\.py.*\n){11}- {3}… 49 more lines \(--full\)\n\+ user\n\+ {3}← result of c1\n\+ {3}60 places\n$/,
    );
    const data = await json<{ a: string; b: string; base: string; added: Commit[]; hunks: object[] }>(
      "diff",
      said.answer.hash,
      said.next.hash,
      "--store",
      store,
    );
    assert.deepEqual([data.a, data.b, data.base, data.added, data.hunks.length], [said.answer.hash, said.next.hash, said.answer.hash, [said.next], 1]);
    assert.deepEqual(Object.keys(data), ["store", "thread", "branch", "a", "b", "base", "removed", "added", "hunks", "tokensBefore", "tokensAfter"]);
  });
});

describe("changing a store", { concurrency: 2 }, () => {
  test("undo shows again what an edit shortened, once", async () => {
    const { store, said, edit } = await seed("undo.db");
    const { commit, edit: undone } = await json<{ commit: Commit; edit: Edit }>("undo", edit.hash.slice(0, 10), "--reason", "needed", "--store", store);
    assert.deepEqual([commit.edits, commit.reason, undone.undoneAt], [edit.hash, "needed", 10]);
    const view = async (hash: string): Promise<unknown> => (await json<{ messages: unknown }>("show", hash, "--view", "--store", store)).messages;
    assert.deepEqual(await view(commit.hash), await view(said.lastAnswer.hash));
    for (const [given, line] of [
      [edit.hash, /was already undone/],
      [undone.id, /was already undone/],
      [commit.hash, /makes no edit of this branch/],
      [said.answer.hash, /makes no edit of this branch/],
      ["", /beginning of several/],
    ] as const) {
      // prettier-ignore
      const { code, out, err } = await run(["undo", given, "--store", store]);
      assert.match(err, line);
      assert.deepEqual([code, out], [2, ""]);
    }
    assert.match(await lines("log", "-n", "1", "--store", store), new RegExp(`  undo grep +1,104  ${edit.hash.slice(0, 10)} taken back: needed\n$`));
  });

  test("export and import give the same hashes, under the same id or another", async () => {
    const { store } = await seed("from.db", HOSTILE);
    const exported = await lines("export", "--store", store);
    const said = await json<object>("export", "--store", store, "-o", "thread.jsonl.gz");
    assert.deepEqual(said, { store, thread: HOSTILE, branches: 2, commits: 13, output: "thread.jsonl.gz" });
    assert.deepEqual(await json<object>("import", "thread.jsonl.gz", "--store", "sqlite:to.db"), { store: "sqlite:to.db", file: "thread.jsonl.gz", format: "palimpsest-history", threads: [{ thread: HOSTILE, commits: 13 }], damaged: [] }); // prettier-ignore
    assert.equal(await lines("export", "--store", "sqlite:to.db"), exported);
    const second = await run(["import", "-", "--thread", "again", "--store", "sqlite:to.db"], { input: exported });
    assert.deepEqual([second.code, second.err], [0, ""]);
    const verified = await json<{ ok: boolean; threads: readonly { thread: string; commits: number }[] }>("verify", "--store", "sqlite:to.db");
    assert.deepEqual([verified.ok, verified.threads.map(({ thread, commits }) => [thread, commits])], [true, [["again", 13], [HOSTILE, 13]]]); // prettier-ignore
    const there = await run(["import", "thread.jsonl.gz", "--store", "sqlite:to.db"]);
    assert.match(there.err, /There is already a thread "x'; DROP TABLE .*\./);
    assert.equal(there.code, 2);
  });

  test("what is deleted is said before, and only --yes deletes where nobody can be asked", async () => {
    const store = "sqlite:delete.db";
    const [first, second] = [await seed("delete.db", HOSTILE), await seed("delete.db", "new")];
    const asked = await run(["forget", HOSTILE, "--store", store]);
    assert.deepEqual([asked.code, asked.out], [2, `Thread ${HOSTILE} of sqlite:delete.db: 13 commits in 2 branches.\n`]);
    assert.match(asked.err, /^palimpsest: Nothing was deleted\. Give --yes to delete without being asked\.$/m);
    assert.deepEqual(await json("forget", HOSTILE, "--yes", "--store", store), { store, thread: HOSTILE, branches: 2, commits: 13 });
    const none = await json<{ deleted: string[]; olderThan: number }>("retain", "--older-than", "1h", "--store", store);
    assert.deepEqual([none.deleted, Math.abs(Date.now() - 3_600_000 - none.olderThan) < 600_000], [[], true]);
    const old = await run(["retain", "--older-than", "2999-12-31", "--store", store]);
    assert.match(old.out, /^1 thread of sqlite:delete\.db older than 2999-12-31 00:00:00:\nthread +commits +newest\nnew +13 {2}\d{4}-/);
    assert.deepEqual([old.code, first.said.grep.hash === second.said.grep.hash], [2, false]);
    assert.equal((await json<{ threads: unknown[] }>("threads", "--store", store)).threads.length, 1);
    const { out } = await run(["retain", "--older-than", "0h", "--yes", "--store", store]);
    assert.match(out, /\n1 thread deleted\.\n$/);
    assert.match(await lines("threads", "--store", store), /^sqlite:delete\.db: 0 threads\n$/);
  });
});

describe("verify", { concurrency: 2 }, () => {
  const DAMAGES: Readonly<Record<string, readonly [sql: string, fault: RegExp]>> = {
    "a content that was changed": [`UPDATE palimpsest_contents SET packed = CAST(X'00' || '{"message":{"role":"user","content":"x"}}' AS BLOB) WHERE number = 1`, /its content does not match its hash/],
    "a content that cannot be read": ["UPDATE palimpsest_contents SET packed = X'01ffffff' WHERE number = 3", /its content is missing/],
    "an author that was changed": [`UPDATE palimpsest_commits SET record = replace(record, '"author":"user"', '"author":"eve"')`, /its hash is not that of its fields/],
    "a commit that was deleted": ["DELETE FROM palimpsest_commits WHERE sequence = 5", /a commit before it is missing/],
  }; // prettier-ignore

  before(() => seed("whole.db"));

  for (const [name, [sql, fault]] of Object.entries(DAMAGES)) {
    test(`${name} is a fault`, async () => {
      const file = `${name.replaceAll(" ", "-")}.db`;
      copyFileSync(join(directory, "whole.db"), join(directory, file));
      const database = new DatabaseSync(join(directory, file));
      assert.ok(Number(database.prepare(sql).run().changes) > 0);
      database.close();
      const [people, machine] = await Promise.all([run(["verify", "--store", `sqlite:${file}`]), run(["verify", "--store", `sqlite:${file}`, "--json"])]);
      assert.deepEqual([people.code, people.err, machine.code], [1, "", 1]);
      assert.match(people.out, fault);
      assert.match(people.out, /\n\n\d+ faults? in \d+ commits of 1 thread in sqlite:/);
      assert.match(machine.out, /^\{\n {2}"store": "[^"]*",\n {2}"ok": false,\n {2}"threads": \[\n {4}\{\n {6}"thread": "agent run",\n {6}"ok": false,/);
    });
  }

  test("nothing is wrong with what nobody touched", async () => {
    assert.match(await lines("verify", "--store", "sqlite:whole.db"), /^No faults in 13 commits of 1 thread in sqlite:whole\.db\.\n$/);
  });
});

describe("what cannot be done is said in one line, with nothing on standard output and exit code 2", { concurrency: 2 }, () => {
  let hash: string;
  before(async () => {
    hash = (await seed("one.db")).said.grep.hash;
    await seed("two.db", "first");
    await seed("two.db", HOSTILE);
    new DatabaseSync(join(directory, "foreign.db")).exec("CREATE TABLE bookmarks (url TEXT)");
    writeFileSync(join(directory, "text.db"), "no database");
  });

  const REFUSED: Readonly<Record<string, readonly [args: readonly string[], line: RegExp]>> = {
    "no store": [["log"], /There is no store at palimpsest\.db\. palimpsest import <transcript> creates one;/],
    "a store that is not there": [["verify", "--store", "sqlite:nowhere/x.db"], /There is no store at nowhere\/x\.db\./],
    "a store in memory": [["threads", "--store", "memory"], /A store in memory would be gone when the command ends\. Give sqlite:path/],
    "SQLite in memory": [["import", LINES, "--store", "sqlite::memory:"], /A store in memory would be gone/],
    "another kind of store": [["log", "--store", "mysql://user:secret@host/x"], /That is not the address of a store\. Give sqlite:path(?!.*secret)/],
    "a database of something else": [["log", "--store", "sqlite:foreign.db"], /foreign\.db is a database without histories/],
    "no database": [["log", "--store", "sqlite:text.db"], /the file is not an SQLite database \(STORE_FAILED\)/],
    "several threads": [["log", "--store", "sqlite:two.db"], /sqlite:two\.db has several threads\. Give one of these after --thread: first, x'; DROP TABLE/],
    "an unknown thread": [["log", "--store", "sqlite:two.db", "--thread", "third"], /There is no thread "third" in sqlite:two\.db\. Give one of these after --thread: first, x';/],
    "SQL for a thread": [["forget", "' OR 1=1 --", "--yes", "--store", "sqlite:two.db"], /There is no thread "' OR 1=1 --" in/],
    "an unknown branch": [["log", "--store", "sqlite:one.db", "--branch", "mian"], /There is no branch "mian" in thread "agent run"\. Give one of these after --branch: main, other\.$/],
    "an ambiguous hash": [["show", "", "--store", "sqlite:one.db"], /"" is the beginning of several hashes: (\w{10}, ){5}…\. Give more characters\.$/],
    "SQL for a hash": [["show", "%' OR '1'='1", "--store", "sqlite:one.db"], /There is no commit "%' OR '1'='1" in this thread/],
    "nothing to find": [["find", "--store", "sqlite:one.db"], /Nothing to look for\. Give --tool, /],
    "two things to find": [["find", "--calls", "--turns", "--store", "sqlite:one.db"], /Only one of --calls, --results and --turns/],
    "no words to find": [["find", "--text", "?!", "--store", "sqlite:one.db"], /There is no word after --text\./],
    "no number": [["find", "--min-tokens", "many", "--store", "sqlite:one.db"], /'many' is invalid\. It must be a whole number/],
    "an unknown option": [["log", "--nope"], /Unknown option '--nope'\. See palimpsest --help\.$/],
    "no age": [["retain", "--store", "sqlite:one.db"], /Required option '--older-than <age>' not specified/],
    "an age without a unit": [["retain", "--older-than", "30", "--yes", "--store", "sqlite:one.db"], /'30' is invalid\. It must be like 12h, 30d or 8w, or a date/],
    "a file that cannot be written": [["export", "--store", "sqlite:one.db", "-o", "nowhere/x.jsonl"], /Cannot write nowhere\/x\.jsonl: there is no such folder\./],
  }; // prettier-ignore

  refusesEach(REFUSED, run);

  test("an unknown hash, with those that are near", async () => {
    const wrong = `${hash.slice(0, 12)}${"0".repeat(52)}`;
    const { code, out, err } = await run(["show", wrong, "--store", "sqlite:one.db"]);
    assert.match(err, new RegExp(`There is no commit "${wrong}" in this thread\\. Similar hashes: ${hash.slice(0, 12)} \\(COMMIT_UNKNOWN\\)`));
    assert.deepEqual([code, out], [2, ""]);
  });
});

// Behind the others, which run two at a time.
test("none of it has made a store, or changed one of something else", () => {
  assert.deepEqual(readdirSync(directory).filter((file) => /^(palimpsest|nowhere|:memory:|memory)/.test(file)), []); // prettier-ignore
  const tables = new DatabaseSync(join(directory, "foreign.db")).prepare("SELECT name FROM sqlite_schema").all();
  assert.deepEqual(tables.map(({ name }) => name), ["bookmarks"]); // prettier-ignore
});

describe("in PostgreSQL", () => {
  let postgres: Postgres | undefined;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres?.stop());

  test("import, log, find, export into SQLite, verify and forget; the password is never said", async () => {
    const store = (await postgres?.createDatabase()) ?? "";
    const outputs = [await lines("import", LINES, "--thread", HOSTILE, "--store", store)];
    outputs.push(await lines("log", "-n", "2", "--store", store), await lines("find", "--results", "--tool", "bash", "--store", store));
    assert.match(outputs[1] ?? "", /, branch main: 33 commits\n… 31 earlier: /);
    assert.match(outputs[2] ?? "", /\n\n\d+ commits, [\d,]+ tokens\.\n$/);
    const exported = await lines("export", "--store", store);
    const imported = await run(["import", "-", "--store", "sqlite:postgres.db"], { input: exported });
    assert.deepEqual([imported.code, imported.err], [0, ""]);
    assert.equal(await lines("export", "--store", "sqlite:postgres.db"), exported);
    outputs.push(await lines("verify", "--store", store));
    assert.match(outputs[3] ?? "", /^No faults in 33 commits of 1 thread in postgres:\/\//);
    const unknown = await run(["show", "zzz", "--store", store]);
    assert.match(unknown.err, /There is no commit "zzz" in this thread/);
    outputs.push(unknown.err, await lines("forget", HOSTILE, "--yes", "--store", store), await lines("threads", "--store", store));
    assert.match(outputs[6] ?? "", /: 0 threads\n$/);
    for (const output of outputs) assert.ok(!output.includes(POSTGRES_PASSWORD));
  });
});
