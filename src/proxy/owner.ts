import { createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isRecord } from "../errors/is-record.ts";

/** Names of headers that hold a provider's key. */
const KEY_HEADERS = ["x-api-key", "authorization", "api-key"];
/** Keys are long and random: whoever has the digest learns nothing. It says that two requests have the same key, and only here. */
const PURPOSE = "palimpsest: owner of a conversation";

export interface Claims {
  /** The proxy's token, where it has one: it was checked. */
  readonly token: string | undefined;
  readonly isLoopback: boolean;
  readonly headers: IncomingHttpHeaders;
  /** The request, as far as it could be read. */
  readonly body: object;
}

/**
 * Returns who a request belongs to: conversations of different owners know nothing of each other. By the token, else by the account
 * that the client names, else by its key. On this machine without a token all are one: there keys may change in mid-session.
 */
export function ownerOf({ token, isLoopback, headers, body }: Claims): string {
  const known = ownerUnread({ token, isLoopback });
  if (known !== undefined) return known;
  const account = accountIn(body);
  if (account !== undefined) return keyed("account", account);
  const key = KEY_HEADERS.map((name) => headers[name]).find((value) => value !== undefined);
  return keyed("key", String(key ?? ""));
}

/** Returns who a request belongs to whose body nobody has read. Undefined: that might say. */
export function ownerUnread({ token, isLoopback }: Pick<Claims, "token" | "isLoopback">): string | undefined {
  if (token !== undefined) return keyed("token", token);
  return isLoopback ? "local" : undefined;
}

function keyed(kind: string, secret: string): string {
  return `${kind}-${createHmac("sha256", PURPOSE).update(secret).digest("hex").slice(0, 32)}`;
}

/** Claude Code names the account and the session in `metadata.user_id`; other clients of OpenAI's API have `user`, or a cache key of their user's. */
function accountIn(body: object): string | undefined {
  const { metadata, user, safety_identifier: identifier } = body as Readonly<Record<string, unknown>>;
  const id = isRecord(metadata) ? metadata["user_id"] : (identifier ?? user);
  if (typeof id !== "string" || id === "") return undefined;
  const account = /account_([0-9a-f-]{36})/i.exec(id)?.[1] ?? accountInJson(id);
  return account ?? id.replace(/_session_.*$/, "");
}

function accountInJson(id: string): string | undefined {
  try {
    const value: unknown = JSON.parse(id);
    const account = isRecord(value) ? (value["account_uuid"] ?? value["device_id"]) : undefined;
    return typeof account === "string" && account !== "" ? account : undefined;
  } catch {
    return undefined;
  }
}
