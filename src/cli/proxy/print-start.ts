import type { Terminal } from "../terminal.ts";

export interface Started {
  readonly url: string;
  readonly store: string;
  readonly hasToken: boolean;
  readonly observes: boolean;
  /** There is no conversation yet, so the inspector shows made-up ones. */
  readonly hasDemo: boolean;
}

/** Prints what to set in each client, so that it talks to the proxy. */
export function printStart(terminal: Terminal, { url, store, hasToken, observes, hasDemo }: Started): void {
  const base = reachable(url);
  const print = (client: string, setting: string): void => terminal.print(`  ${client.padEnd(18)}${setting}`);
  terminal.print(terminal.bold(`Palimpsest listens on ${url}`));
  print("Inspector", `${base}/inspector`);
  if (hasDemo) terminal.print("  Open it now: it shows two made-up conversations until your first request (--no-demo: none).");
  print("Claude Code", `ANTHROPIC_BASE_URL=${base} claude`);
  print(
    "Codex",
    `codex -c model_provider=palimpsest -c 'model_providers.palimpsest={name="palimpsest",base_url="${base}/v1",env_key="OPENAI_API_KEY",wire_api="responses"}'`,
  );
  print("opencode", `opencode.json: {"provider":{"anthropic":{"options":{"baseURL":"${base}/v1"}},"openai":{"options":{"baseURL":"${base}/v1"}}}}`);
  print("pi", `~/.pi/agent/models.json: {"providers":{"anthropic":{"baseUrl":"${base}"},"openai":{"baseUrl":"${base}/v1"}}}`);
  print("any OpenAI client", `OPENAI_BASE_URL=${base}/v1`);
  if (hasToken) terminal.print("Every request needs the header x-palimpsest-token; for Claude Code: ANTHROPIC_CUSTOM_HEADERS='x-palimpsest-token: …'");
  if (observes) terminal.print("Nothing is changed (--observe); palimpsest only counts what it would have sent.");
  terminal.print(
    store === "memory"
      ? "Conversations are kept in memory, and are gone when the proxy stops (--store memory)."
      : `Conversations are kept in ${store} (--store memory: nowhere).`,
  );
}

/** A client cannot connect to "any address". */
export function reachable(url: string): string {
  return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}
