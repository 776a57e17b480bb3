import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { runCli } from "../../test/support/run-cli.ts";
import type { AboutAnswer, ConversationsAnswer } from "../inspector/answers.ts";
import { openStore } from "../store/open-store.ts";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));
const SESSION = fileURLToPath(new URL("../../test/fixtures/transcripts/claude-code.jsonl", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "palimpsest-ui-"));
after(() => rmSync(folder, { recursive: true }));

interface Running {
  readonly printed: { readonly url: string; readonly source: string; readonly name: string };
  readonly stop: () => Promise<number | null>;
}

async function start(args: readonly string[]): Promise<Running> {
  const child = spawn(process.execPath, [MAIN, "ui", "--port", "0", "--json", ...args], { cwd: folder, env: { PATH: process.env["PATH"] } });
  after(() => child.kill("SIGKILL"));
  const errors = text(child.stderr);
  let out = "";
  while (!out.trimEnd().endsWith("}")) {
    const [chunk] = (await Promise.race([once(child.stdout, "data"), once(child, "close").then(async () => Promise.reject(new Error(await errors)))])) as [
      Buffer,
    ];
    out += chunk.toString();
  }
  return {
    printed: JSON.parse(out) as Running["printed"],
    stop: async () => {
      child.kill("SIGINT");
      const [code] = (await once(child, "close")) as [number | null];
      return code;
    },
  };
}

async function get<T>(url: string, path: string): Promise<T> {
  return (await (await fetch(`${url}/api/${path}`)).json()) as T;
}

describe("palimpsest ui", { timeout: 60_000 }, () => {
  it("plays a session file, and says what that means", async () => {
    copyFileSync(SESSION, join(folder, "session.jsonl"));
    const { printed, stop } = await start(["session.jsonl", "--policy", "tight"]);
    assert.deepEqual([printed.source, printed.name], ["file", "session.jsonl"]);
    const about = await get<AboutAnswer>(printed.url, "about");
    assert.equal(about.isDemo, false);
    assert.match(about.remarks[0] ?? "", /^A recorded session, played with the policy tight: this is what would have been sent\./);
    const { conversations } = await get<ConversationsAnswer>(printed.url, "conversations");
    assert.ok((conversations[0]?.calls ?? 0) > 3);
    assert.equal((await fetch(new URL("/", printed.url), { redirect: "manual" })).headers.get("location"), "/inspector");
    assert.equal(await stop(), 0);
  });

  it("shows a store, by its address or by its file, and changes nothing in it", async () => {
    const store = await openStore(`sqlite:${join(folder, "kept.db")}`);
    await store.close();
    for (const given of ["sqlite:kept.db", "kept.db"]) {
      const { printed, stop } = await start([given]);
      assert.deepEqual([printed.source, printed.name], ["store", "sqlite:kept.db"]);
      assert.deepEqual((await get<ConversationsAnswer>(printed.url, "conversations")).conversations, []);
      assert.equal(await stop(), 0);
    }
  });

  it("says what is wrong, and what to do", async () => {
    writeFileSync(join(folder, "words.txt"), "no session at all");
    writeFileSync(join(folder, "silent.json"), JSON.stringify([{ role: "user", content: "Is anybody there?" }]));
    const newer = await openStore(`sqlite:${join(folder, "newer.db")}`);
    await newer.close();
    const database = new DatabaseSync(join(folder, "newer.db"));
    database.exec("UPDATE palimpsest_schema SET version = 99");
    database.close();
    const server = createServer();
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const cases: readonly (readonly [args: readonly string[], line: RegExp])[] = [
      [["nowhere.jsonl"], /Cannot read nowhere\.jsonl: there is no such file/],
      [["sqlite:nowhere.db"], /There is no store at nowhere\.db\. .*--store or PALIMPSEST_STORE/],
      [["words.txt"], /words\.txt/],
      [["silent.json"], /There are no calls of a model in silent\.json, so there is nothing to show\. Give a session file with answers of a model in it\./],
      [["newer.db"], /it has version 99 of the schema, but this package knows versions up to \d+ only\. Use a newer palimpsest \(SCHEMA_NEWER\)/],
      [["memory"], /A store in memory would be gone/],
      [["session.jsonl", "--policy", "tigt"], /'tigt' is invalid/],
      [
        ["kept.db", "--port", String(port)],
        new RegExp(`Cannot listen on 127\\.0\\.0\\.1, port ${port}: the port is in use\\. Choose another port with --port`),
      ],
    ];
    for (const [args, line] of cases) {
      const { code, err } = await runCli(["ui", ...args], { cwd: folder });
      assert.equal(code, 2, args.join(" "));
      assert.match(err, line);
    }
    server.close();
  });
});
