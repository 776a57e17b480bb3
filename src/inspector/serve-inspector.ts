import { createServer } from "node:http";
import { listen } from "../access/listen.ts";
import type { Inspector } from "./create-inspector.ts";

export interface ServedInspector {
  /** For example "http://127.0.0.1:4142/inspector". */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves an inspector without a proxy. Throws `LISTEN_FAILED`. */
export async function serveInspector(inspector: Inspector, at: { readonly host: string; readonly port: number }): Promise<ServedInspector> {
  const server = createServer((request, response) => {
    if (inspector.pages(request, response)) return;
    const isRoot = request.url === "/";
    response.writeHead(isRoot ? 302 : 404, isRoot ? { location: "/inspector" } : { "content-type": "text/plain; charset=utf-8" });
    response.end(isRoot ? "" : "The inspector is at /inspector.\n");
  });
  const address = await listen(server, at);
  return {
    url: `${address}/inspector`,
    close: async () => {
      inspector.close();
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
