import { signal } from "@preact/signals";
import type { ConversationRow, ErrorAnswer, LiveEvents } from "../../answers.ts";
import { ApiError, needsToken, refresh, request } from "./api.ts";

export type Connection = { readonly state: "connecting" | "live" } | { readonly state: "lost"; readonly since: number; readonly retryAt: number };

export const connection = signal<Connection>({ state: "connecting" });
/** The server's error while its store cannot be read. */
export const trouble = signal<ErrorAnswer["error"] | undefined>(undefined);
/** The latest change. */
export const changed = signal<{ readonly row: ConversationRow; readonly count: number } | undefined>(undefined);
/** Incremented when the demo appears or goes away. */
export const demoChanges = signal(0);

const WAITS_MS = [1_000, 2_000, 4_000, 8_000, 15_000] as const;
/** Longer than the server is ever silent, because it sends heartbeats. */
const SILENCE_MS = 40_000;
let tries = 0;
let retryTimer: ReturnType<typeof setTimeout> | undefined;
let running = false;
let wasInterrupted = false;

/** Listens to the server and reconnects when the connection is lost. EventSource cannot send the token, so it is not used. */
export async function listen(): Promise<void> {
  if (running || needsToken.peek()) return;
  running = true;
  clearTimeout(retryTimer);
  const abort = new AbortController();
  let silence: ReturnType<typeof setTimeout> | undefined;
  let isThere: boolean;
  const heard = (): void => {
    clearTimeout(silence);
    silence = setTimeout(() => abort.abort(), SILENCE_MS);
  };
  try {
    heard();
    const response = await request("events", { signal: abort.signal });
    connection.value = { state: "live" };
    trouble.value = undefined;
    tries = 0;
    // Reload what was missed in between.
    if (wasInterrupted) refresh.value++;
    wasInterrupted = false;
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const piece = await reader?.read();
      if (piece === undefined || piece.done) break;
      heard();
      const events = (rest + piece.value).split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events) take(event);
    }
    isThere = false;
  } catch (error) {
    // The connection counts as lost and is retried; a server that refuses says why.
    isThere = error instanceof ApiError && error.status > 0;
    if (isThere && error instanceof ApiError) trouble.value = error.answer;
  } finally {
    clearTimeout(silence);
    running = false;
  }
  wasInterrupted = true;
  if (needsToken.peek()) return;
  const wait = WAITS_MS[Math.min(tries++, WAITS_MS.length - 1)] ?? 15_000;
  const before = connection.peek();
  if (isThere) connection.value = { state: "connecting" };
  else connection.value = { state: "lost", since: before.state === "lost" ? before.since : Date.now(), retryAt: Date.now() + wait };
  retryTimer = setTimeout(() => void listen(), wait);
}

export function retryNow(): void {
  tries = 0;
  void listen();
}

function take(event: string): void {
  const name = /^event: (\w+)$/m.exec(event)?.[1];
  const data = /^data: (.*)$/m.exec(event)?.[1];
  if (name === undefined || data === undefined) return;
  switch (name as keyof LiveEvents) {
    case "conversation":
      trouble.value = undefined;
      changed.value = { row: JSON.parse(data) as ConversationRow, count: (changed.peek()?.count ?? 0) + 1 };
      break;
    case "demo":
      demoChanges.value++;
      break;
    case "well":
      trouble.value = undefined;
      refresh.value++;
      break;
    case "trouble":
      trouble.value = (JSON.parse(data) as ErrorAnswer).error;
      break;
  }
}
