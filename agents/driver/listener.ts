import { createServer, request as open, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Passes everything on, and keeps what clients sent. */
export interface Listener {
  readonly url: string;
  readonly bodies: readonly Uint8Array[];
  readonly close: () => Promise<void>;
}

/** `whenIdle` runs before each request that comes while no other is under way. */
export async function startListener(target: string, whenIdle: () => Promise<void> = () => Promise.resolve()): Promise<Listener> {
  const bodies: Uint8Array[] = [];
  let underWay = 0;
  let ready = Promise.resolve();
  const pass = (incoming: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    const { method, headers } = incoming;
    // A connection that is kept may lead to a process that was killed.
    const outgoing = open(new URL(incoming.url ?? "/", target), { method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on("error", () => response.destroy());
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => bodies.push(Buffer.concat(chunks)));
    incoming.pipe(outgoing);
  };
  const server = createServer((incoming, response) => {
    if (underWay++ === 0) ready = whenIdle();
    response.once("close", () => underWay--);
    void ready.then(
      () => pass(incoming, response),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
