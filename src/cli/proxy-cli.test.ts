import Anthropic from "@anthropic-ai/sdk";
import assert from "node:assert/strict";
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { startDouble } from "../../test/support/agents/start-double.ts";
import { startUpstream } from "../../test/support/proxies/start-upstream.ts";
import { runCli, type CliRun } from "../../test/support/run-cli.ts";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));

const directory = mkdtempSync(join(tmpdir(), "palimpsest-proxy-"));
after(() => rmSync(directory, { recursive: true }));

function file(name: string, content: unknown): string {
  writeFileSync(join(directory, name), typeof content === "string" ? content : JSON.stringify(content));
  return name;
}

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CliRun> => runCli(["proxy", ...args], { cwd: directory, env });

async function settingsOf(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Record<string, { value: string; from: string }>> {
  const { out, err } = await run([...args, "--check-config", "--json"], env);
  assert.equal(err, "");
  return JSON.parse(out) as Record<string, { value: string; from: string }>;
}

describe("settings", () => {
  it("flags go before the environment, that before the file, that before the defaults", async () => {
    const config = file("some.json", { port: 1, policy: "tight", observe: true, anthropicUpstream: "http://file/a" });
    const settings = await settingsOf(["--config", config, "--port", "3", "--no-observe"], { PALIMPSEST_PORT: "2", PALIMPSEST_POLICY: "gentle" });
    assert.deepEqual(
      ["port", "policy", "observe", "anthropicUpstream", "openaiUpstream"].map((name) => [settings[name]?.value, settings[name]?.from]),
      [
        ["3", "--port"],
        ["gentle", "PALIMPSEST_POLICY"],
        ["false", "--observe"],
        ["http://file/a", "some.json"],
        ["https://api.openai.com", "default"],
      ],
    );
  });

  it("the defaults, in literals", async () => {
    const settings = await settingsOf([]);
    assert.deepEqual(Object.fromEntries(Object.entries(settings).map(([name, { value }]) => [name, value])), {
      host: "127.0.0.1",
      port: "4141",
      anthropicUpstream: "https://api.anthropic.com",
      openaiUpstream: "https://api.openai.com",
      policy: "balanced",
      store: "memory",
      retentionDays: "30",
      maxMemoryMb: "64",
      tools: "auto",
      observe: "false",
      token: "(none)",
      redact: "(none)",
      maxBodyBytes: "33554432",
      largeBodyBytes: "1000000",
      maxConnections: "2000",
      maxHeaderBytes: "65536",
      upstreamIdleMs: "900000",
      clientIdleMs: "300000",
      pingMs: "10000",
      hiddenRetryMs: "30000",
      shutdownMs: "30000",
    });
  });

  it("palimpsest.config.json is read where it lies, and PALIMPSEST_CONFIG names another", async () => {
    const folder = mkdtempSync(join(directory, "own-"));
    writeFileSync(join(folder, "palimpsest.config.json"), '{"tools":"off"}');
    const { out } = await runCli(["proxy", "--check-config"], { cwd: folder });
    assert.match(out, /^tools +off +palimpsest\.config\.json$/m);
    assert.equal((await settingsOf([], { PALIMPSEST_CONFIG: file("env.json", { tools: "all" }) }))["tools"]?.value, "all");
  });

  it("--check-config shows no secret", async () => {
    const { out } = await run(["--check-config", "--token", "very-secret", "--openai-upstream", "https://me:hush@gateway.example/api"]);
    assert.match(out, /^token +\(set\) +--token$/m);
    assert.match(out, /https:\/\/me:\*\*\*@gateway\.example\/api/);
    assert.doesNotMatch(out, /very-secret|hush/);
  });

  for (const [store, shown] of [
    ["postgres://me:hush@db.example/agents?sslkey=/hush.pem", "postgres://me:***@db.example/agents?sslkey=***"],
    ["postgres:///agents?host=/tmp&user=me&password=hush", "postgres:///agents?host=/tmp&user=me&password=***"],
    ["postgres://a.example,b.example/agents?password=hush", "postgres://a.example,b.example/agents?password=***"],
  ] as const)
    it(`--check-config shows no secret of a store's address: ${shown}`, async () => {
      for (const args of [[], ["--json"]]) {
        const { out, code } = await run(["--check-config", "--store", store, ...args]);
        assert.ok(code === 0 && out.includes(shown), out);
        assert.doesNotMatch(out, /hush/);
      }
    });

  for (const args of [
    ["--store", "mysql://db/agents?password=hush"],
    ["--store", "postgres:me:hush@db"],
    ["--openai-upstream", "https://gateway/v1?key=hush"],
  ])
    it(`an address that is refused is not repeated with its secret: ${args.join(" ")}`, async () => {
      const { err, code } = await run(args);
      assert.equal(code, 2);
      assert.doesNotMatch(err, /hush/);
    });

  const refused: readonly (readonly [what: string, args: readonly string[], env: Readonly<Record<string, string>>, line: RegExp])[] = [
    ["a key that is unknown", ["--config", file("unknown.json", { polcy: 1 })], {}, /unknown\.json\.polcy: .*Did you mean "policy"\?/],
    ["a name of a prototype", ["--config", file("proto.json", '{"__proto__":{"port":1}}')], {}, /proto\.json\.__proto__: expected one of host/],
    ["a value of the wrong kind", ["--config", file("kind.json", { port: "4141" })], {}, /kind\.json\.port: expected a port/],
    ["a file that is no JSON", ["--config", file("broken.json", "{ port: secret }")], {}, /broken\.json is not JSON\. /],
    ["a file that is not there", ["--config", "nowhere.json"], {}, /Cannot read the settings in nowhere\.json \(ENOENT\)/],
    ["a port that is none", [], { PALIMPSEST_PORT: "70000" }, /PALIMPSEST_PORT: expected a port: 0 to 65535, found 70000/],
    ["an upstream that is no URL", ["--anthropic-upstream", "api.anthropic.com"], {}, /--anthropic-upstream: expected an http or https URL/],
    ["an upstream of another protocol", ["--openai-upstream", "ftp://x"], {}, /--openai-upstream: expected an http or https URL/],
    ["a policy that does not exist", ["--policy", "balancd"], {}, /--policy: .*Did you mean "balanced"\?/],
    ["a store of no kind", ["--store", "mysql:x.db"], {}, /--store: expected "memory", "sqlite:PATH" or "postgres:/],
    [
      "a store that cannot be opened",
      ["--store", `sqlite:${file("no-store.db", "this is no database, but a text that is long enough to be read as one")}`],
      {},
      /The store of conversations cannot be opened: .*--store memory keeps them only while the proxy runs\./,
    ],
    ["another choice of tools", ["--tools", "some"], {}, /--tools: expected "auto", "all", "off"/],
    ["what is neither true nor false", [], { PALIMPSEST_OBSERVE: "maybe" }, /PALIMPSEST_OBSERVE: expected true or false/],
    [
      "another address without a token",
      ["--host", "0.0.0.0"],
      {},
      /Other machines can reach 0\.0\.0\.0, so the proxy needs a token there\. Set PALIMPSEST_TOKEN/,
    ],
    ["a token that is too short", ["--token", "short"], {}, /--token: expected a token of at least 8 visible ASCII characters, found "\*{5}"/],
    ["a flag that is unknown", ["--prot", "1"], {}, /Unknown option '--prot'/i],
    ["an argument", ["4141"], {}, /Too many arguments/i],
  ];
  for (const [what, args, env, line] of refused)
    it(`${what} is refused, in one line`, async () => {
      const { code, out, err } = await run(args, env);
      assert.match(err, line);
      assert.deepEqual([code, out, err.trimEnd().split("\n").length], [2, "", 1]);
    });

  it("a password in an address is never repeated", async () => {
    for (const [flag, value] of [
      ["--store", "postgres://u:hush@h/d"],
      ["--anthropic-upstream", "ftp://u:hush@h"],
    ] as const) {
      const { err } = await run([flag, value]);
      assert.doesNotMatch(err, /hush/);
    }
  });

  it("a port in use is said in one line, with a way out", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const { code, err } = await run(["--port", String(port)]);
    server.close();
    assert.equal(
      err,
      `palimpsest: Cannot listen on 127.0.0.1, port ${port}: the port is in use. Choose another port with --port (0 takes a free one), or another address with --host.\n`,
    );
    assert.equal(code, 2);
  });
});

interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly url: string;
  readonly lines: readonly string[];
  readonly errors: Promise<string>;
}

/** Starts the proxy in its own process, which ends with the test. */
async function start(args: readonly string[]): Promise<Running> {
  const child = spawn(process.execPath, [MAIN, "proxy", "--port", "0", ...args], { cwd: directory, env: { PATH: process.env["PATH"] } });
  after(() => child.kill("SIGKILL"));
  const errors = text(child.stderr);
  let out = "";
  while (!/\(--store memory/.test(out)) {
    const [chunk] = (await Promise.race([once(child.stdout, "data"), once(child, "close").then(async () => Promise.reject(new Error(await errors)))])) as [
      Buffer,
    ];
    out += chunk.toString();
  }
  const lines = out.split("\n");
  return { child, url: /http:\S+/.exec(lines[0] ?? "")?.[0] ?? "", lines, errors };
}

describe("palimpsest proxy", { timeout: 60_000 }, () => {
  it("is what npm start starts", () => {
    const { scripts } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { scripts: Record<string, string> };
    assert.equal(scripts["start"], "node src/cli/main.ts proxy");
  });

  for (const signal of ["SIGINT", "SIGTERM"] as const)
    it(`says its address, what to set for which client and where it stores; serves; and ends with 0 on ${signal}`, async () => {
      const double = await startDouble({ script: [{ text: "Hello." }] });
      const { child, url, lines, errors } = await start(["--anthropic-upstream", double.url]);
      assert.match(lines[0] ?? "", /^Palimpsest listens on http:\/\/127\.0\.0\.1:\d+$/);
      assert.equal(lines[1], `  Inspector         ${url}/inspector`);
      assert.equal(lines[2], "  Open it now: it shows two made-up conversations until your first request (--no-demo: none).");
      const clients = ["Claude Code", "Codex", "opencode", "pi", "any OpenAI client"];
      for (const [index, client] of clients.entries()) {
        assert.ok(lines[index + 3]?.trim().startsWith(client), client);
        assert.ok(lines[index + 3]?.includes(url), client);
      }
      assert.equal(lines[8], "Conversations are kept in memory, and are gone when the proxy stops (--store memory).");
      const answer = await new Anthropic({ apiKey: "key", baseURL: url }).messages.create({
        model: "claude-opus-5",
        max_tokens: 99,
        messages: [{ role: "user", content: "Hi" }],
      });
      assert.equal(answer.content[0]?.type === "text" && answer.content[0].text, "Hello.");
      child.kill(signal);
      assert.deepEqual(await once(child, "close"), [0, null]);
      assert.equal(await errors, `${signal}: waiting for answers in progress.\n`);
    });

  it("lets a running answer end before it stops, and takes nothing new", async () => {
    let end: (() => void) | undefined;
    const upstream = await startUpstream((_, response) => {
      response.write("one ");
      end = () => void response.end("two");
    });
    const { child, url } = await start(["--openai-upstream", upstream.url]);
    const answer = await fetch(`${url}/openai/v1/files`);
    child.kill("SIGTERM");
    while (
      await fetch(`${url}/healthz`).then(
        () => true,
        () => false,
      )
    );
    end?.();
    assert.equal(await answer.text(), "one two");
    assert.deepEqual(await once(child, "close"), [0, null]);
  });

  it("does not wait for ever: shutdownMs is the limit", async () => {
    const upstream = await startUpstream((_, response) => void response.write("one "));
    const { child, url } = await start(["--openai-upstream", upstream.url, "--shutdown-ms", "100"]);
    const answer = await fetch(`${url}/openai/v1/files`);
    child.kill("SIGTERM");
    await assert.rejects(answer.text());
    assert.deepEqual(await once(child, "close"), [0, null]);
  });
});
