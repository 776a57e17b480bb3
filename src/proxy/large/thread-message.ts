import type { MessagePort } from "node:worker_threads";
import type { CallMetrics } from "../../agent/front-end/metrics.ts";
import type { ProxyEvent } from "../proxy-event.ts";
import type { ProxySettings } from "../proxy-options.ts";

/** What the thread for large bodies is started with. */
export interface ThreadSettings {
  readonly settings: Omit<ProxySettings, "store">;
  /** The address of a store, or a port to one that the first thread serves. */
  readonly store: string | { readonly name: string; readonly port: MessagePort };
}

/** To that thread. */
export type ToThread = { readonly type: "connection"; readonly port: MessagePort } | { readonly type: "close" };

/** From that thread. */
export type FromThread =
  | { readonly type: "ready" }
  | {
      readonly type: "event";
      readonly event: ProxyEvent;
      /** Metrics of all its calls so far. */
      readonly metrics: CallMetrics;
      readonly notReady: string | undefined;
    };

/** Errors lose their class on the way to another thread, so only their text is sent. */
export function withPlainErrors(event: ProxyEvent): ProxyEvent {
  if (event.type === "failed") return { ...event, error: plainError(event.error) };
  if (event.type === "engine" && event.event.type === "failed") return { ...event, event: { ...event.event, error: plainError(event.event.error) } };
  return event;
}

/** Turns the text back into errors. */
export function withErrors(event: ProxyEvent): ProxyEvent {
  if (event.type === "failed") return { ...event, error: errorFrom(event.error) };
  if (event.type === "engine" && event.event.type === "failed") return { ...event, event: { ...event.event, error: errorFrom(event.event.error) } };
  return event;
}

interface PlainError {
  readonly name: string;
  readonly message: string;
}

function plainError(error: unknown): PlainError {
  return error instanceof Error ? { name: error.name, message: error.message } : { name: "Error", message: String(error) };
}

function errorFrom(plain: unknown): Error {
  const { name, message } = plain as PlainError;
  return Object.assign(new Error(message), { name });
}
