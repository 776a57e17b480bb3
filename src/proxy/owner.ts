import { createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isRecord } from "../errors/is-record.ts";

/** Headers that hold a provider's key. */
const KEY_HEADERS = ["x-api-key", "authorization", "api-key"];
/** Keys are long and random, so a digest reveals nothing but that two requests have the same key, and only within this package. */
const PURPOSE = "palimpsest: owner of a conversation";

export interface Claims {
  /** The proxy's token, if it has one. It was already checked. */
  readonly token: string | undefined;
  readonly isLoopback: boolean;
  readonly headers: IncomingHttpHeaders;
  /** The request, as far as it could be parsed. */
  readonly body: object;
}

/**
 * Returns the owner of a request; conversations of different owners are kept apart. The token decides, or else the account that the client
 * names, or else its key. On loopback without a token there is only one owner, because keys may change in mid-session there.
 */
export function ownerOf({ token, isLoopback, headers, body }: Claims): string {
  const known = ownerUnread({ token, isLoopback });
  if (known !== undefined) return known;
  const account = accountIn(body);
  if (account !== undefined) return keyed("account", account);
  const key = KEY_HEADERS.map((name) => headers[name]).find((value) => value !== undefined);
  return keyed("key", String(key ?? ""));
}

/** Returns the owner of a request whose body was not read. Undefined: only the body could tell. */
export function ownerUnread({ token, isLoopback }: Pick<Claims, "token" | "isLoopback">): string | undefined {
  if (token !== undefined) return keyed("token", token);
  return isLoopback ? "local" : undefined;
}

function keyed(kind: string, secret: string): string {
  return `${kind}-${createHmac("sha256", PURPOSE).update(secret).digest("hex").slice(0, 32)}`;
}

/** Claude Code names the account and the session in `metadata.user_id`; clients of OpenAI's API send `safety_identifier` or `user`. */
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
