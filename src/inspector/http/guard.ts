import type { IncomingMessage } from "node:http";
import { isOwnHost, type OwnHost } from "../../access/own-host.ts";
import { isToken } from "../../access/token.ts";
import { refusal } from "./refusal.ts";

/** Refuses requests under another host name, from another origin, or without the token. */
export function checkAccess({ headers }: IncomingMessage, own: OwnHost, needsToken: boolean): void {
  if (!isOwnHost(headers.host, own))
    throw refusal(403, "FOREIGN_HOST", "The inspector does not answer to that host name.", "Use the address that was printed when it started.");
  const { origin } = headers;
  const site = headers["sec-fetch-site"];
  const isForeign =
    (origin !== undefined && !isOriginOf(origin, headers.host ?? "")) || (needsToken && site !== undefined && site !== "same-origin" && site !== "none");
  if (isForeign) throw refusal(403, "FOREIGN_ORIGIN", "This request came from another web page.", "Open the inspector itself: other pages may not read it.");
  const given = headers["x-palimpsest-token"];
  if (needsToken && own.token !== undefined && !isToken(typeof given === "string" ? given : undefined, own.token))
    throw refusal(
      401,
      "TOKEN_NEEDED",
      "This inspector needs the proxy's token.",
      "Enter the token that the proxy was started with (--token or PALIMPSEST_TOKEN).",
    );
}

function isOriginOf(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}
