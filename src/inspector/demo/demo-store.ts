import { createMemoryStore } from "../../store/memory-store.ts";
import type { Store } from "../../store/store.ts";
import { ConversationRecorder, type RecorderOptions } from "../recorded/conversation-recorder.ts";
import { Story } from "./demo-story.ts";
import { goFile, goTest, grepLines, numbered } from "./hookline-files.ts";

const HOUR_MS = 3_600_000;

const CLAUDE_CODE = {
  api: "anthropic",
  path: "/v1/messages",
  policy: "tight",
  tools: { compact: true, recall: true },
} as const;

const SYSTEM = [
  "You are an agent that helps with software engineering tasks. Keep answers short, and say what you did.",
  "Read a file before you change it. Run the tests of what you changed. Never commit unless you are asked to.",
  "# Project\nhookline delivers webhooks. Go 1.24, PostgreSQL. `go test ./... -race` has to pass. Errors are wrapped with %w and named Err….",
].join("\n\n");

const TOOLS = [
  tool("Read", "Reads a file of the local file system. Lines are numbered from 1.", { file_path: "string", offset: "integer", limit: "integer" }),
  tool("Edit", "Replaces a text in a file. The text has to be there exactly once.", { file_path: "string", old_string: "string", new_string: "string" }),
  tool("Write", "Writes a file. One that is there is replaced.", { file_path: "string", content: "string" }),
  tool("Bash", "Runs a command in a shell and returns what it prints.", { command: "string", timeout: "integer" }),
  tool("Grep", "Searches the contents of files with a regular expression.", { pattern: "string", path: "string", glob: "string" }),
  tool("Task", "Starts a sub-agent for a task of its own, and returns its answer.", { description: "string", prompt: "string" }),
];

function tool(name: string, description: string, fields: Readonly<Record<string, string>>): object {
  const properties = Object.fromEntries(Object.entries(fields).map(([field, type]) => [field, { type }]));
  return { name, description, input_schema: { type: "object", properties } };
}

const WORKER = "internal/delivery/worker.go";
const BACKOFF = "internal/retry/backoff.go";
const LEASE = "internal/queue/lease.go";
const LEASE_TEST = "internal/queue/lease_test.go";
const DISPATCHER = "internal/delivery/dispatcher.go";
const FILES = [WORKER, BACKOFF, LEASE, LEASE_TEST, DISPATCHER, "internal/store/deliveries.go", "internal/http/signer.go", "cmd/hookline/main.go"];

/** Creates a store in memory with two invented conversations, shown while there is no real one. */
export async function createDemoStore(nowMs: number = Date.now()): Promise<Store> {
  const store = createMemoryStore();
  await tellLong(store, nowMs);
  await tellShort(store, nowMs);
  return store;
}

async function tellLong(store: Store, nowMs: number): Promise<void> {
  const options: RecorderOptions = {
    store,
    thread: "demo-webhooks",
    ...CLAUDE_CODE,
    head: { system: SYSTEM, tools: TOOLS },
    client: { agent: "Claude Code", version: "2.4.1", session: "demo-webhooks", project: "~/src/hookline" },
  };
  const recorder = await ConversationRecorder.begin(options);
  const story = new Story(recorder, "claude-opus-5-5", nowMs - 1.42 * HOUR_MS, 11);
  const read = (said: string, file: string, functions: number, heart: readonly string[] = []): Promise<void> =>
    story.tool(said, "Read", { file_path: `/src/hookline/${file}` }, numbered(goFile(file, functions, heart)));
  const test = (said: string, seed: number, tests: number, fails?: readonly [string, ...string[]]): Promise<void> =>
    story.tool(said, "Bash", { command: "go test ./... -race -v" }, goTest({ seed, tests, ...(fails === undefined ? {} : { fails }) }), fails !== undefined);

  story.user(
    "Retry flapping webhooks in the delivery worker: endpoints that flap (5xx, then fine, then 5xx) are hammered. I want capped exponential backoff with jitter per endpoint, and the lease must not expire while we wait. Keep the public API of internal/delivery.",
  );
  await story.side("side", "claude-haiku-5-5", 412, 18);
  await story.tools("I look at the layout first.", [
    ["Bash", { command: "git log --oneline -15 && ls internal" }, goLog()],
    ["Grep", { pattern: "backoff\\.", path: "internal" }, grepLines("backoff.Next", FILES, 34, 3)],
  ]);
  await read("The worker is where attempts are made.", WORKER, 26, WORKER_HEART);
  await read("And what decides how long to wait.", BACKOFF, 12, BACKOFF_HEART);
  await read("The lease, because we must not lose it while we wait.", LEASE, 22, LEASE_HEART);
  await test("Before I change anything: do the tests pass?", 21, 90);
  const explored = await tellExplorer(store, story.nowMs, "demo-webhooks");
  await story.tool(
    "A sub-agent can find every caller while I go on.",
    "Task",
    { description: "Explore: every caller of backoff.Next", prompt: "Find every caller of backoff.Next and say what each does with the duration." },
    explored,
  );
  await read("The dispatcher starts the workers.", DISPATCHER, 30);
  await read("What is stored of a delivery?", "internal/store/deliveries.go", 28);
  await story.tool("", "Grep", { pattern: "ErrLeaseLost", path: "internal" }, grepLines("errors.Is(err, ErrLeaseLost)", FILES, 41, 5));
  await story.says(
    "The worker retries without a ceiling: `Next` doubles for ever, and there is no jitter. The lease has a fixed time of 30 s, and nothing renews it while the worker sleeps. I would cap the delay at 5 min, add full jitter per endpoint, and renew the lease every 10 s while we wait. Shall I?",
  );
  story.waits(150);
  story.user("Yes. What happens to ErrLeaseLost when the worker sleeps longer than the lease? That must not be counted as a failed attempt.");
  for (let turn = 0; turn < 5; turn++) await tellFix(story, read, test, turn);
  await story.compacts(
    22,
    "I compacted the first fixes. Decided: delay is min(cap, base·2^n) with full jitter, cap 5 min, per endpoint (BACKOFF: `Policy.Next(endpoint, n)`). The lease is renewed every 10 s by `keepAlive` while the worker sleeps; `ErrLeaseLost` is not a failed attempt. Open: TestLeaseSurvivesBackoff fails in lease_test.go:118; shutdown while waiting.",
    "That part is settled. What is left is the lease test, and shutdown while a worker waits.",
  );
  story.waits(47 * 60);
  story.user("I'm back. Go on with the lease test.");
  await read("The test that fails.", LEASE_TEST, 24, TEST_HEART);
  await test("", 33, 120, ["TestLeaseSurvivesBackoff", "lease_test.go:118: lease lost after 2.0s: ErrLeaseLost", "lease_test.go:121: attempts = 2, want 1"]);
  await story.recalls("ErrLeaseLost", [
    "The renewal has to begin before the first sleep, not after it.",
    "Edit",
    {
      file_path: `/src/hookline/${LEASE}`,
      old_string: "\tgo l.keepAlive(ctx)\n\treturn sleep(ctx, d)",
      new_string: "\tstop := l.keepAlive(ctx)\n\tdefer stop()\n\treturn sleep(ctx, d)",
    },
    `The file /src/hookline/${LEASE} has been updated.`,
  ]);
  for (let turn = 5; turn < 13; turn++) await tellFix(story, read, test, turn);
  await story.side("side", "claude-haiku-5-5", 388, 22);
  const reviewed = await tellReviewer(store, story.nowMs, "demo-webhooks");
  await story.tool(
    "Somebody else should look for data races.",
    "Task",
    { description: "Review: data race in lease renewal", prompt: "Review the lease renewal for data races." },
    reviewed,
  );
  await test("All of it once more.", 77, 140);
  await story.says(
    "Done. Endpoints that flap are tried again after at most 5 min, with full jitter for each of them; the lease is renewed every 10 s while a worker waits, and a lost lease is no failed attempt. `go test ./... -race` passes. The public API of internal/delivery is as it was.",
  );
}

type Reads = (said: string, file: string, functions: number, heart?: readonly string[]) => Promise<void>;
type Tests = (said: string, seed: number, tests: number, fails?: readonly [string, ...string[]]) => Promise<void>;

const STEPS: readonly (readonly [what: string, file: string, test: string])[] = [
  ["Backoff gets a ceiling.", BACKOFF, "TestBackoffCap"],
  ["Jitter, for each endpoint its own.", BACKOFF, "TestBackoffJitterBounds"],
  ["The worker asks for the delay of its endpoint.", WORKER, "TestWorkerGivesUp"],
  ["The lease is renewed while we wait.", LEASE, "TestLeaseRenews"],
  ["A lost lease is no failed attempt.", WORKER, "TestLostLeaseIsNoAttempt"],
  ["Renewal stops when the wait is over.", LEASE, "TestKeepAliveStops"],
  ["Shutdown wakes those that wait.", DISPATCHER, "TestDispatcherShutdown"],
  ["The dispatcher counts what waits.", DISPATCHER, "TestDispatcherCounts"],
  ["A metric for the delay.", "internal/http/signer.go", "TestDelayMetric"],
  ["Configuration of the ceiling.", "cmd/hookline/main.go", "TestConfigCap"],
  ["Deliveries keep the time of the next attempt.", "internal/store/deliveries.go", "TestNextAttempt"],
  ["Migration of deliveries that wait already.", "internal/store/deliveries.go", "TestWaitingDeliveries"],
  ["The README says what the delay is.", WORKER, "TestDocs"],
];

async function tellFix(story: Story, read: Reads, test: Tests, turn: number): Promise<void> {
  const step = STEPS[turn];
  if (step === undefined) return;
  const [what, file, name] = step;
  await read(what, file, 18 + ((turn * 5) % 14), HEARTS[file]);
  await story.tool(
    "",
    "Edit",
    {
      file_path: `/src/hookline/${file}`,
      old_string: goFile(file, 3)
        .slice(10, 24 + turn)
        .join("\n"),
      new_string: goFile(`${file}/${turn}`, 4)
        .slice(10, 34 + turn)
        .join("\n"),
    },
    `The file /src/hookline/${file} has been updated.`,
  );
  await test("", 40 + turn * 2, 60 + turn * 9, [name, `${name.slice(4).toLowerCase()}_test.go:${40 + turn * 7}: got ${turn}, want ${turn + 1}`]);
  await story.tool("Which lines say so?", "Grep", { pattern: name.slice(4), path: "internal" }, grepLines(name.slice(4), FILES, 16 + turn * 3, 60 + turn));
  await test("Again.", 41 + turn * 2, 60 + turn * 9);
}

/** Returns its answer. */
async function tellExplorer(store: Store, atMs: number, session: string): Promise<string> {
  const recorder = await ConversationRecorder.begin({
    store,
    thread: "demo-webhooks-callers",
    ...CLAUDE_CODE,
    policy: "tight",
    head: { system: "You are a sub-agent. Find what you are asked for, and answer in a few lines.", tools: TOOLS.slice(0, 5) },
    client: { agent: "Claude Code", version: "2.4.1", session, subAgent: "explore", project: "~/src/hookline" },
    title: "Explore: every caller of backoff.Next",
    parent: { parent: { thread: "demo-webhooks", branch: "main" }, parentKind: "sub-agent" },
  });
  const story = new Story(recorder, "claude-haiku-5-5", atMs, 3);
  story.user("Find every caller of backoff.Next and say what each does with the duration.");
  await story.tool("", "Grep", { pattern: "backoff\\.Next", path: "." }, grepLines("backoff.Next", FILES, 64, 17));
  for (const [number, file] of FILES.entries()) await story.tool("", "Read", { file_path: `/src/hookline/${file}` }, numbered(goFile(file, 20 + number)));
  for (const [number, file] of FILES.entries())
    await story.tool("Where does the duration go?", "Grep", { pattern: "time\\.Duration", path: file }, grepLines("wait", [file], 44, 90 + number));
  const answer =
    "Nine callers in six files. worker.go:212 sleeps with it, dispatcher.go:88 puts it into the queue, deliveries.go:140 stores it; the others only log it. None of them caps it, and none renews a lease.";
  await story.says(answer);
  return answer;
}

/** Returns its answer. */
async function tellReviewer(store: Store, atMs: number, session: string): Promise<string> {
  const recorder = await ConversationRecorder.begin({
    store,
    thread: "demo-webhooks-review",
    ...CLAUDE_CODE,
    head: { system: "You are a sub-agent. Review what you are given, and name what is wrong.", tools: TOOLS.slice(0, 5) },
    client: { agent: "Claude Code", version: "2.4.1", session, subAgent: "review", project: "~/src/hookline" },
    title: "Review: data race in lease renewal",
    parent: { parent: { thread: "demo-webhooks", branch: "main" }, parentKind: "sub-agent" },
  });
  const story = new Story(recorder, "claude-opus-5-5", atMs, 5);
  story.user("Review the lease renewal for data races.");
  await story.tool("", "Read", { file_path: `/src/hookline/${LEASE}` }, numbered(goFile(LEASE, 24, LEASE_HEART)));
  for (let turn = 0; turn < 4; turn++) {
    await story.tool("", "Bash", { command: `go test ./internal/queue -race -run Lease -count=${turn + 2}` }, goTest({ seed: 120 + turn, tests: 36 }));
    await story.tool("", "Grep", { pattern: "keepAlive", path: "internal" }, grepLines("keepAlive", FILES, 22, 130 + turn));
  }
  const answer =
    "No race: `keepAlive` reads the lease under its lock, and `stop` waits for it. One thing: the ticker of a lease that was released twice is stopped twice, which is harmless.";
  await story.says(answer);
  return answer;
}

async function tellShort(store: Store, nowMs: number): Promise<void> {
  const recorder = await ConversationRecorder.begin({
    store,
    thread: "demo-migration",
    ...CLAUDE_CODE,
    api: "openai-responses",
    path: "/v1/responses",
    policy: "balanced",
    tools: { compact: false, recall: true },
    head: { system: SYSTEM, tools: TOOLS.slice(0, 5) },
    client: { agent: "Codex", version: "0.98.0", session: "demo-migration", project: "~/src/ledger-import" },
  });
  const story = new Story(recorder, "gpt-6.1-sol", nowMs - 4.2 * HOUR_MS, 19);
  story.user("Port the CSV importer to streaming: files of 2 GB must not be held in memory. Keep the order of the rows.");
  await story.tool("", "Bash", { command: "ls -la importer && wc -l importer/*.go" }, goLog());
  for (const [number, file] of ["importer/read/csv.go", "importer/read/rows.go", "importer/write/ledger.go"].entries())
    await story.tool("", "Read", { file_path: `/src/ledger-import/${file}` }, numbered(goFile(file, 14 + number * 8)));
  await story.tool("", "Bash", { command: "go test ./importer/... -v" }, goTest({ seed: 201, tests: 80 }));
  for (let turn = 0; turn < 4; turn++) {
    const file = `importer/read/stage${turn}.go`;
    await story.tool("", "Write", { file_path: `/src/ledger-import/${file}`, content: goFile(file, 5).join("\n") }, "Done.");
    await story.tool("", "Bash", { command: "go vet ./... && go test ./importer/... -v" }, goTest({ seed: 210 + turn, tests: 90 }), turn === 1);
  }
  await story.says("Rows are read one by one now and written in batches of 500, in their order. A file of 2 GB takes 41 MB of memory. All tests pass.");
}

function goLog(): string {
  const titles = [
    "queue: renew leases in the store's clock",
    "delivery: name the endpoint in errors",
    "http: sign with the newest key",
    "store: an index for deliveries that wait",
    "ci: go 1.24",
  ];
  const log = titles.map((title, number) => `${(0x9fe3b1 - number * 7919).toString(16)} ${title}`);
  return [...log, "delivery  http  queue  retry  store"].join("\n");
}

const WORKER_HEART = [
  "// deliver makes attempts until one succeeds, or the endpoint is given up.",
  "func (w *Worker) deliver(ctx context.Context, d *Delivery) error {",
  "\tfor attempt := 0; ; attempt++ {",
  "\t\terr := w.send(ctx, d)",
  "\t\tif err == nil {",
  "\t\t\treturn w.done(ctx, d)",
  "\t\t}",
  "\t\tif attempt >= w.maxAttempts {",
  '\t\t\treturn fmt.Errorf("deliver %s: gave up after %d attempts: %w", d.ID, attempt, err)',
  "\t\t}",
  "\t\ttime.Sleep(w.backoff.Next(attempt))",
  "\t}",
  "}",
];
const BACKOFF_HEART = [
  "// Next says how long to wait before attempt n. It doubles for ever.",
  "func (p Policy) Next(n int) time.Duration {",
  "\treturn p.Base << n",
  "}",
];
const LEASE_HEART = [
  "// ErrLeaseLost says that somebody else has the delivery by now.",
  'var ErrLeaseLost = errors.New("queue: lease lost")',
  "",
  "func (l *Lease) renew(ctx context.Context) error {",
  "\tif l.now().After(l.until) {",
  '\t\treturn fmt.Errorf("renew %s: %w", l.ID, ErrLeaseLost)',
  "\t}",
  "\tl.until = l.now().Add(30 * time.Second)",
  "\treturn l.queue.store(ctx, l)",
  "}",
];
const TEST_HEART = [
  "func TestLeaseSurvivesBackoff(t *testing.T) {",
  "\tclock := newClock()",
  "\tlease := queue.take(clock)",
  "\tgo worker.wait(lease, 2*time.Minute)",
  "\tclock.Advance(90 * time.Second)",
  "\tif err := lease.renew(t.Context()); err != nil {",
  '\t\tt.Fatalf("lease lost after %s: %v", clock.Since(), err)',
  "\t}",
  "}",
];
const HEARTS: Readonly<Record<string, readonly string[]>> = { [WORKER]: WORKER_HEART, [BACKOFF]: BACKOFF_HEART, [LEASE]: LEASE_HEART };
