import type { IncomingMessage } from "node:http";
import { isOwnHost } from "../access/own-host.ts";
import { isToken } from "../access/token.ts";
import type { ClientAnswer } from "./http/client-answer.ts";
import { metricsOf, type ProxyContext } from "./proxy-context.ts";

const PAGES = ["/healthz", "/readyz", "/metrics"] as const;
type Page = (typeof PAGES)[number];

/** Returns which of the proxy's own pages a request asks for. */
export function ownPage(url: string): Page | undefined {
  const path = url.split("?", 1)[0];
  return PAGES.find((page) => page === path);
}

/** `isClosing`: the proxy finishes running answers, and accepts nothing new. */
export function answerOwnPage(page: Page, context: ProxyContext, request: IncomingMessage, answer: ClientAnswer, isClosing: boolean): void {
  const { method = "GET", headers } = request;
  const text = (status: number, content: string): void =>
    answer.text(status, content, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" });
  if (method !== "GET" && method !== "HEAD")
    return answer.text(405, "Only GET and HEAD.\n", { allow: "GET, HEAD", "content-type": "text/plain; charset=utf-8" });
  if (!isOwnHost(headers.host, context.options))
    return text(403, "This page is not served under this host name. Use the address that the proxy printed when it started.\n");
  switch (page) {
    case "/healthz":
      return text(200, "ok\n");
    case "/readyz": {
      const reason = isClosing ? "the proxy is stopping" : (context.engine.whyNotReady() ?? context.large?.whyNotReady());
      return reason === undefined ? text(200, "ready\n") : text(503, `not ready: ${reason}\n`);
    }
    case "/metrics": {
      const { token } = context.options;
      if (token !== undefined && !isToken(tokenOf(request), token)) return text(401, "x-palimpsest-token is missing or wrong.\n");
      return answer.text(200, context.counters.text(metricsOf(context)), { "content-type": "text/plain; version=0.0.4; charset=utf-8" });
    }
  }
}

/** Prometheus can send a bearer token, but no custom header. */
function tokenOf({ headers }: IncomingMessage): string | undefined {
  const own = headers["x-palimpsest-token"];
  return typeof own === "string" ? own : /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1];
}
