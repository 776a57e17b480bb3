import assert from "node:assert/strict";
import { request as open } from "node:http";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { longSession } from "../../test/support/browser/long-session.ts";
import { servePages } from "../../test/support/browser/serve-pages.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import type {
  AboutAnswer,
  BlocksAnswer,
  CallAnswer,
  CallsAnswer,
  ConversationAnswer,
  ConversationsAnswer,
  EditsAnswer,
  ErrorAnswer,
  RowsAnswer,
  SearchAnswer,
  TextAnswer,
  TotalsAnswer,
} from "./answers.ts";
import { bundleApp } from "./bundle-app.ts";
import { maskKeys } from "./data/mask-keys.ts";
import { createDemoStore } from "./index.ts";
import { ConversationRecorder } from "./recorded/conversation-recorder.ts";

const demo = await servePages(undefined, { demo: createDemoStore });
const LONG = "conversations/demo-webhooks/main";

async function get<T>(path: string, base: string = demo.url): Promise<T> {
  const response = await fetch(`${base}/api/${path}`);
  assert.equal(response.status, 200, `${path}: ${response.status}`);
  return (await response.json()) as T;
}

interface Raw {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** `fetch` does not send what a browser on another page would. */
function ask(path: string, headers: Readonly<Record<string, string>> = {}, method = "GET", base: string = demo.url): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const request = open(base + path, { method, headers, agent: false }, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (piece: string) => (body += piece));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    request.on("error", reject);
    request.end();
  });
}

function codeOf({ body }: Raw): string {
  return (JSON.parse(body) as ErrorAnswer).error.code;
}

describe("who may see the inspector", () => {
  it("nobody under another name: a web page can make its own name point here", async () => {
    for (const path of ["/api/about", "", "/assets/app.js"]) {
      const refused = await ask(path, { host: "evil.example" });
      assert.deepEqual([refused.status, codeOf(refused)], [403, "FOREIGN_HOST"], path);
    }
    assert.equal((await ask("/api/about", { host: "localhost:1" })).status, 200);
  });

  it("no other origin, whatever it says of itself", async () => {
    for (const headers of [{ origin: "https://evil.example" }, { origin: "null" }, { "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }]) {
      const refused = await ask("/api/about", headers);
      assert.deepEqual([refused.status, codeOf(refused)], [403, "FOREIGN_ORIGIN"], JSON.stringify(headers));
    }
    const { host } = new URL(demo.url);
    assert.equal((await ask("/api/about", { origin: `http://${host}`, "sec-fetch-site": "same-origin" })).status, 200);
    assert.equal((await ask("", { "sec-fetch-site": "cross-site" })).status, 200, "a link of another page may lead to it");
  });

  it("whoever has the token, where there is one; the page itself has no data", async () => {
    const guarded = await servePages(createMemoryStore(), { own: { host: "0.0.0.0", token: "open-sesame-42" } });
    for (const headers of [{}, { "x-palimpsest-token": "open-sesame-41" }]) {
      const refused = await ask("/api/conversations", headers, "GET", guarded.url);
      assert.deepEqual([refused.status, codeOf(refused)], [401, "TOKEN_NEEDED"]);
    }
    assert.equal((await ask("/api/conversations", { "x-palimpsest-token": "open-sesame-42" }, "GET", guarded.url)).status, 200);
    assert.equal((await ask("", {}, "GET", guarded.url)).status, 200);
  });

  it("it only reads", async () => {
    for (const method of ["POST", "PUT", "DELETE", "PATCH"]) assert.equal((await ask("/api/about", {}, method)).status, 405, method);
    const head = await ask("/api/about", {}, "HEAD");
    assert.deepEqual([head.status, head.body], [200, ""]);
  });

  it("the page runs nothing but its own files", async () => {
    const { headers, body } = await ask("/c/some/where");
    const policy = String(headers["content-security-policy"]);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/);
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "require-trusted-types-for 'script'",
    ])
      assert.ok(policy.includes(rule), rule);
    assert.doesNotMatch(body, /<script>|style=|\son\w+=/);
    assert.match(String((await ask("/api/about")).headers["content-security-policy"]), /default-src 'none'; frame-ancestors 'none'; sandbox/);
  });
});

describe("the API", () => {
  it("says what is shown", async () => {
    const { isDemo, source, unrecorded, remarks } = await get<AboutAnswer>("about");
    assert.deepEqual({ isDemo, source, unrecorded, remarks }, { isDemo: true, source: "store", unrecorded: 0, remarks: [] });
  });

  it("lists conversations page by page, each once, the newest first, and parents with their children", async () => {
    const found: string[] = [];
    let next: string | undefined;
    do {
      const page: ConversationsAnswer = await get(`conversations?limit=1${next === undefined ? "" : `&after=${next}`}`);
      for (const { thread, parent } of page.conversations) {
        if (parent !== undefined)
          assert.ok(
            page.conversations.some((row) => row.thread === parent.thread),
            "the parent is on the same page",
          );
        found.push(thread);
      }
      ({ next } = page);
    } while (next !== undefined);
    assert.deepEqual([...new Set(found)].sort(), ["demo-migration", "demo-webhooks", "demo-webhooks-callers", "demo-webhooks-review"]);
    const { conversations } = await get<ConversationsAnswer>("conversations");
    const times = conversations.map(({ lastMs }) => lastMs);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => b - a),
    );
    const [long] = conversations.filter(({ thread }) => thread === "demo-webhooks");
    assert.ok(long !== undefined && long.spark.sent.length > 20 && long.spark.sent.length === long.spark.full.length);
  });

  it("filters, and counts what the filters let through", async () => {
    const { conversations } = await get<ConversationsAnswer>("conversations?agent=Codex");
    assert.deepEqual(conversations.map(({ thread }) => thread), ["demo-migration"]); // prettier-ignore
    const totals = await get<TotalsAnswer>("totals?agent=Codex");
    assert.deepEqual([totals.conversations, totals.calls, totals.isPartial], [1, 14, false]);
    assert.deepEqual(totals.agents, ["Claude Code", "Codex"]);
    assert.equal((await get<TotalsAnswer>(`totals?since=${Date.now() + 1}`)).conversations, 0);
  });

  it("gives calls page by page, and where sums come from", async () => {
    const first = await get<CallsAnswer>(`${LONG}/calls?limit=80`);
    const rest = await get<CallsAnswer>(`${LONG}/calls?limit=80&after=${first.next}`);
    assert.deepEqual([first.calls.length, first.next, rest.calls.length, rest.next], [80, 80, 4, undefined]);
    const calls = [...first.calls, ...rest.calls];
    const { conversation, cost } = await get<ConversationAnswer>(LONG);
    const dollars = calls.reduce((sum, call) => sum + call.dollars, 0);
    assert.ok(Math.abs(dollars - conversation.total.dollars) < 1e-9);
    assert.ok(Math.abs(cost.parts.reduce((sum, { value }) => sum + value, 0) - cost.sum) < 0.01);
    assert.deepEqual(calls.flatMap(({ sequence, marks }) => (marks.length > 0 ? [`${sequence} ${marks.join("+")}`] : [])), ["37 compaction+digest", "38 pause", "40 recall", "73 digest"]); // prettier-ignore
  });

  it("gives one call, its rows in folds, what a fold holds, and the blocks that a digest stands for", async () => {
    const call = await get<CallAnswer>(`${LONG}/calls/73`);
    assert.match(call.decision.sentence, /^[\d,]+ tokens were removed in a batch of 2 edits, because it saves more than it costs\.$/);
    assert.equal(call.cache.firstChanged?.place, "21.0");
    const { rows, total } = await get<RowsAnswer>(`${LONG}/calls/73/rows`);
    assert.equal(rows.length, total);
    const fold = rows.find((row) => row.type === "fold" && row.to - row.row > 20);
    assert.ok(fold?.type === "fold");
    const inside = await get<RowsAnswer>(`${LONG}/calls/73/rows?from=${fold.row}&to=${fold.to}`);
    assert.deepEqual(inside.rows.map(({ row }) => row), Array.from({ length: fold.to - fold.row }, (_, number) => fold.row + number)); // prettier-ignore
    const digest = rows.find((row) => row.type === "changed" && row.leftBlocks > 50);
    assert.ok(digest?.type === "changed" && digest.edits[0]?.pass === "digest-rounds" && digest.left.length < 10);
    const blocks = await get<BlocksAnswer>(`${LONG}/calls/73/blocks?row=${digest.row}&from=50&limit=3`);
    assert.deepEqual([blocks.total, blocks.blocks.length], [digest.leftBlocks, 3]);
    const everything = await get<RowsAnswer>(`${LONG}/calls/73/rows?show=all&limit=200`);
    assert.ok(everything.rows.every(({ type }) => type !== "fold") && everything.total === call.sides.rows);
  });

  it("gives long texts in pieces that are the whole together", async () => {
    const { rows } = await get<RowsAnswer>(`${LONG}/calls/4/rows`);
    const changed = rows.find((row) => row.type === "changed" && row.edits.length > 0);
    assert.ok(changed?.type === "changed");
    const [block] = changed.left;
    assert.ok(block?.isCut === true && block.chars > 10_000);
    let text = "";
    while (text.length < block.chars) text += (await get<TextAnswer>(`${LONG}/calls/4/text?id=${block.id}&from=${text.length}&limit=5000`)).text;
    assert.equal(text.length, block.chars);
    assert.ok(text.startsWith(block.text) && text.endsWith(block.tail ?? "?"));
  });

  it("lists what happened, the newest first", async () => {
    const { events, next } = await get<EditsAnswer>(`${LONG}/edits?limit=4`);
    assert.deepEqual(events.map(({ icon, sequence }) => `${icon} ${sequence}`), ["digest 73", "recall 40", "pause 38", "compaction 37"]); // prettier-ignore
    assert.equal(next, 4);
  });

  it("finds words wherever they were said, page by page", async () => {
    const all = await get<SearchAnswer>("search?q=TestLeaseSurvives&limit=50");
    assert.ok(all.hits.length >= 3 && all.hits.some(({ isShortened }) => isShortened));
    assert.ok(all.hits.every(({ match }) => match.toLowerCase() === "testleasesurvives"));
    const places: string[] = [];
    let next: string | undefined;
    do {
      const page: SearchAnswer = await get(`search?q=TestLeaseSurvives&limit=1${next === undefined ? "" : `&after=${next}`}`);
      places.push(...page.hits.map(({ thread, place }) => `${thread} ${place}`));
      ({ next } = page);
    } while (next !== undefined);
    assert.deepEqual(places, all.hits.map(({ thread, place }) => `${thread} ${place}`)); // prettier-ignore
  });

  it("refuses what it cannot read, in words", async () => {
    const refused: readonly (readonly [path: string, status: number, code: string])[] = [
      ["/api/nothing", 404, "PATH_UNKNOWN"],
      ["/api/conversations/a", 404, "PATH_UNKNOWN"],
      ["/api/conversations/a/b/calls/1/rows/2", 404, "PATH_UNKNOWN"],
      ["/api/conversations/nope/main", 404, "CONVERSATION_UNKNOWN"],
      ["/api/conversations/%00/%ZZ", 404, "CONVERSATION_UNKNOWN"],
      [`/api/${LONG}/calls/0`, 404, "CALL_UNKNOWN"],
      [`/api/${LONG}/calls/85`, 404, "CALL_UNKNOWN"],
      [`/api/${LONG}/calls/1e3`, 404, "CALL_UNKNOWN"],
      [`/api/${LONG}/calls/73/text?id=l0.99`, 404, "BLOCK_UNKNOWN"],
      [`/api/${LONG}/calls/73/media?id=l2.0`, 404, "BLOCK_UNKNOWN"],
      [`/api/${LONG}/calls?limit=-1`, 400, "QUERY_INVALID"],
      [`/api/${LONG}/calls/73/rows?show=some`, 400, "QUERY_INVALID"],
      ["/api/conversations?after=zzz", 400, "QUERY_INVALID"],
      [`/api/search?q=${"a".repeat(3_000)}`, 400, "QUERY_INVALID"],
    ];
    for (const [path, status, code] of refused) {
      const answer = await ask(path);
      assert.deepEqual([answer.status, codeOf(answer)], [status, code], path);
      const { message, remedy } = (JSON.parse(answer.body) as ErrorAnswer).error;
      assert.ok(message.endsWith(".") && remedy.length > 10, path);
    }
  });

  it("reads no more of a store than a page needs", async () => {
    const store = await longSession(2_000);
    const asked: number[] = [];
    const counting = {
      ...store,
      notes: async (query: Parameters<typeof store.notes>[0]) => {
        const found = await store.notes(query);
        asked.push(found.length);
        return found;
      },
    };
    const { url } = await servePages(counting);
    await get("conversations", url);
    assert.ok(asked.reduce((sum, count) => sum + count, 0) < 60, "a list of one conversation reads its sparkline, and not its thousand calls");
  });

  it("packs what is large", async () => {
    const { headers } = await ask(`/api/${LONG}/calls`, { "accept-encoding": "gzip" });
    assert.equal(headers["content-encoding"], "gzip");
  });
});

describe("keys", () => {
  it("are masked, whoever's they are", () => {
    const secrets = [
      "sk-ant-api03-abcdefghijklmnopqrstuvwxyz",
      "sk-proj-abcdefghijklmnopqrstuvwxyz0123",
      "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
      "AKIAABCDEFGHIJKLMNOP",
      "xoxb-123456789012-abcdefghijkl",
      "Bearer abcdefghijklmnopqrstuvwxyz",
      "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
    ];
    for (const secret of secrets) {
      const masked = maskKeys(`before ${secret} after`);
      assert.match(masked, /^before .*\(masked\)/s, secret);
      assert.ok(!masked.includes(secret.trim().slice(-12)) || !masked.includes("MIIE"), secret);
    }
    assert.equal(maskKeys("sketch sk-1 task-list-of-many-words"), "sketch sk-1 task-list-of-many-words");
  });

  it("are in no request that is shown, nor in a command", async () => {
    const store = createMemoryStore();
    const recorder = await ConversationRecorder.begin({
      store,
      thread: "secret",
      policy: "none",
      tools: { compact: false, recall: false },
      head: { system: "", tools: [] },
      api: "openai-chat",
      path: "/v1/chat/completions",
      client: {},
    });
    recorder.say({ role: "user", content: "It's sk-proj-abcdefghijklmnopqrstuvwxyz0123, don't tell. $(rm -rf /) `id` 'quoted'\nPALIMPSEST_REQUEST\n" });
    await recorder.call({ model: "gpt-5", atMs: 1, answers: [() => ({ role: "assistant", content: "ok" })] });
    const { url } = await servePages(store);
    const { body } = await ask("/api/conversations/secret/main/calls/1/request.curl", {}, "GET", url);
    assert.doesNotMatch(body, /abcdefghijklmnopqrstuvwxyz0123/);
    assert.match(body, /^curl 'https:\/\/api\.openai\.com\/v1\/chat\/completions'/);
    assert.equal(body.split("\n").filter((line) => line === "PALIMPSEST_REQUEST").length, 1, "only the last line ends the text");
  });
});

describe("the app", () => {
  it("is under 120 KB, packed", async () => {
    const files = await bundleApp(new URL("./app/", import.meta.url));
    const bytes = files.reduce((sum, [, content]) => sum + gzipSync(content).length, 0);
    assert.ok(bytes < 120_000, `${bytes} bytes`);
    assert.ok(bytes > 20_000, "all of it was made");
  });

  it("writes nothing that a browser would read as markup or script", async () => {
    const files = await bundleApp(new URL("./app/", import.meta.url));
    const script = files.find(([name]) => name === "app.js")?.[1].toString() ?? "";
    // Preact itself knows dangerouslySetInnerHTML; nothing gives it one.
    assert.doesNotMatch(script, /dangerouslySetInnerHTML:|\.outerHTML\s*=|insertAdjacentHTML|document\.write|eval\(|new Function/);
  });
});
