import { createServer, request as open } from "node:http";
import type { AddressInfo } from "node:net";

/** Passes everything on, and keeps what clients sent. */
export interface Listener {
  readonly url: string;
  readonly bodies: readonly Uint8Array[];
  readonly close: () => Promise<void>;
}

export async function startListener(target: string): Promise<Listener> {
  const bodies: Uint8Array[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    const { method, headers } = incoming;
    const outgoing = open(new URL(incoming.url ?? "/", target), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on("error", () => response.destroy());
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => bodies.push(Buffer.concat(chunks)));
    incoming.pipe(outgoing);
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
