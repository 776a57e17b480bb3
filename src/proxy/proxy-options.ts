import type { IncomingMessage, ServerResponse } from "node:http";
import { isLoopbackHost } from "../access/own-host.ts";
import { redacting } from "../agent/front-end/redaction.ts";
import { isRecord } from "../errors/is-record.ts";
import type { Store } from "../store/store.ts";
import { boolean, callback, count, oneOf, parseOptions, positiveInteger, type Field, type FieldsOf } from "../errors/parse-options.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import { PRESETS, type PresetName } from "../policy/policy-options.ts";
import type { ProxyEvent } from "./proxy-event.ts";

export interface ProxyOptions {
  /** Where to listen. Default "127.0.0.1"; an address that other machines can reach requires a `token`. */
  readonly host?: string;
  /** Default 4141. 0: any free port. */
  readonly port?: number;
  /** Default "https://api.anthropic.com". It may have a path, to which the request's path is appended. */
  readonly anthropicUpstream?: string;
  /** Default "https://api.openai.com". */
  readonly openaiUpstream?: string;
  /** Default "balanced". */
  readonly policy?: PresetName;
  /** Where conversations are kept: "memory" (the default), "sqlite:PATH", "postgres://…", or an open store. */
  readonly store?: string | Store;
  /** Conversations that nobody has used for this many days are deleted. Default 30, 0: never. */
  readonly retentionDays?: number;
  /** A regular expression without lookaround: matches are stored as `[redacted]`. Requests are sent unchanged. */
  readonly redact?: string;
  /** About how much memory conversations may take. Default 64; others are reloaded from the store when needed. */
  readonly maxMemoryMb?: number;
  /** Tools for the model: `recall` ("auto", the default), also `compact` and its checkpoints ("all"), or none ("off"). */
  readonly tools?: "auto" | "all" | "off";
  /** Sends the client's own bytes, and records what would have been sent. Default false. */
  readonly observe?: boolean;
  /** Every request has to send it as `x-palimpsest-token`. */
  readonly token?: string;
  /** Larger bodies are piped unread; a compressed body that unpacks to more is sent as it came. Default 32 MB, the providers' own limit. */
  readonly maxBodyBytes?: number;
  /** Larger bodies, and those with new content of a quarter of this, are read in a separate thread, so that other requests do not wait. Default 1 MB, 0: never. */
  readonly largeBodyBytes?: number;
  /** Most client connections at a time. Default 2000. */
  readonly maxConnections?: number;
  /** The largest request line and headers, together. Default 64 KB. */
  readonly maxHeaderBytes?: number;
  /** Give up on a provider that sends nothing for this long. Default 15 minutes, 0: never. */
  readonly upstreamIdleMs?: number;
  /** Give up on a client that neither sends nor reads for this long while we wait for it. Default 5 minutes, 0: never. */
  readonly clientIdleMs?: number;
  /** How often the client gets a ping while a hidden round is silent. Default 10 seconds. */
  readonly pingMs?: number;
  /** How long to retry a hidden round that gets 429 or 529. Default 30 seconds. */
  readonly hiddenRetryMs?: number;
  /** How long running answers may take to finish when the proxy is closed. Default 30 seconds. */
  readonly shutdownMs?: number;
  /** Serves additional pages under the proxy's address: answers the request and returns true, or returns false. It has to check itself who may see them. */
  readonly pages?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Called with every event. Its errors are ignored. */
  readonly onEvent?: (event: ProxyEvent) => void;
}

export type ParsedProxyOptions = Omit<Required<ProxyOptions>, "token" | "redact" | "anthropicUpstream" | "openaiUpstream"> & {
  readonly token: string | undefined;
  readonly redact: string | undefined;
  readonly anthropicUpstream: URL;
  readonly openaiUpstream: URL;
  readonly isLoopback: boolean;
};

/** The options that can come from a file or the environment: all but `onEvent` and `pages`. */
export type ProxySettings = Omit<ProxyOptions, "onEvent" | "pages" | "store"> & { readonly store?: string };

const port: Field<number> = {
  expected: "a port: 0 to 65535",
  accepts: (value): value is number => count.accepts(value) && value <= 65_535,
};

const nonEmpty: Field<string> = {
  expected: "a string that is not empty",
  accepts: (value): value is string => typeof value === "string" && value.trim() !== "",
};

const upstream: Field<string> = {
  expected: "an http or https URL without query, such as https://api.anthropic.com",
  accepts: (value): value is string => typeof value === "string" && isUpstream(value),
};

const STORES = '"memory", "sqlite:PATH" or "postgres://…"';
const store: Field<string> = {
  expected: STORES,
  accepts: (value): value is string => typeof value === "string" && /^(memory$|sqlite:.|postgres(ql)?:\/\/)/s.test(value),
};

const storeOrAddress: Field<string | Store> = {
  expected: `${STORES}, or an open store`,
  accepts: (value): value is string | Store => store.accepts(value) || (isRecord(value) && "append" in value),
};

const expression: Field<string> = {
  expected: "a regular expression without lookaround and backreferences",
  accepts: (value): value is string => typeof value === "string" && isExpression(value),
};

/** A header can hold no other characters, and a shorter token can be guessed. */
const token: Field<string> = {
  expected: "a token of at least 8 visible ASCII characters",
  accepts: (value): value is string => typeof value === "string" && /^[\x21-\x7e]{8,}$/.test(value),
};

export const SETTINGS: FieldsOf<ProxySettings> = {
  host: nonEmpty,
  port,
  anthropicUpstream: upstream,
  openaiUpstream: upstream,
  policy: oneOf(...(Object.keys(PRESETS) as PresetName[])),
  store,
  retentionDays: count,
  redact: expression,
  maxMemoryMb: positiveInteger,
  tools: oneOf("auto", "all", "off"),
  observe: boolean,
  token,
  maxBodyBytes: positiveInteger,
  largeBodyBytes: count,
  maxConnections: positiveInteger,
  maxHeaderBytes: positiveInteger,
  upstreamIdleMs: count,
  clientIdleMs: count,
  pingMs: positiveInteger,
  hiddenRetryMs: count,
  shutdownMs: count,
};

export const DEFAULTS: Required<Omit<ProxySettings, "token" | "redact">> = {
  host: "127.0.0.1",
  port: 4141,
  anthropicUpstream: "https://api.anthropic.com",
  openaiUpstream: "https://api.openai.com",
  policy: "balanced",
  store: "memory",
  retentionDays: 30,
  maxMemoryMb: 64,
  tools: "auto",
  observe: false,
  maxBodyBytes: 32 * 1024 * 1024,
  largeBodyBytes: 1_000_000,
  maxConnections: 2_000,
  maxHeaderBytes: 64 * 1024,
  upstreamIdleMs: 15 * 60_000,
  clientIdleMs: 5 * 60_000,
  pingMs: 10_000,
  hiddenRetryMs: 30_000,
  shutdownMs: 30_000,
};

const FIELDS: FieldsOf<ProxyOptions> = {
  ...SETTINGS,
  store: storeOrAddress,
  onEvent: callback<(event: ProxyEvent) => void>("a function"),
  pages: callback<(request: IncomingMessage, response: ServerResponse) => boolean>("a function"),
};

/** Throws `INVALID_OPTION`. `path`: how errors refer to the options. */
export function parseProxyOptions(options: ProxyOptions, path = "options"): ParsedProxyOptions {
  const given = parseOptions(options, path, FIELDS) as ProxyOptions;
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as ProxyOptions;
  const whole = { ...DEFAULTS, ...set };
  const isLoopback = isLoopbackHost(whole.host);
  if (!isLoopback && whole.token === undefined)
    throw invalid("INVALID_OPTION", `${path}.token`, `a token, because other machines can reach ${whole.host}`, undefined);
  const { onEvent, pages = () => false } = whole;
  return {
    ...whole,
    anthropicUpstream: new URL(whole.anthropicUpstream),
    openaiUpstream: new URL(whole.openaiUpstream),
    token: whole.token,
    redact: whole.redact,
    isLoopback,
    pages,
    onEvent: (event) => {
      try {
        onEvent?.(event);
      } catch {
        // A listener must not cost the client its answer.
      }
    },
  };
}

function isExpression(value: string): boolean {
  try {
    redacting(value, "redact");
    return true;
  } catch {
    return false;
  }
}

function isUpstream(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, search, hash } = new URL(value);
  return (protocol === "http:" || protocol === "https:") && hostname !== "" && search === "" && hash === "";
}
