import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** What pg sends for COMMIT: a simple query. */
const COMMIT = Buffer.from("Q\u0000\u0000\u0000\u000bCOMMIT\u0000", "latin1");

/** A network between a store and its server that fails at the worst moment. */
export interface DroppingProxy {
  /** The address of the server, through this. */
  readonly url: string;
  /** Breaks the connection at the next COMMIT: before the server gets it, or before its answer arrives. Gives how often it has done so. */
  dropNext(moment: "before COMMIT" | "after COMMIT"): void;
  readonly drops: () => number;
  /** From now on nothing arrives, and no connection breaks. */
  hang(): void;
  close(): Promise<void>;
}

export async function startDroppingProxy(url: string): Promise<DroppingProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let next: "before COMMIT" | "after COMMIT" | undefined;
  let drops = 0;
  let hangs = false;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let isDropping = false;
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    const drop = (): void => {
      drops += 1;
      client.destroy();
    };
    client.on("data", (bytes) => {
      if (hangs) return undefined;
      if (next === undefined || !bytes.includes(COMMIT)) return upstream.write(bytes);
      isDropping = next === "after COMMIT";
      next = undefined;
      return isDropping ? upstream.write(bytes) : drop();
    });
    upstream.on("data", (bytes) => (hangs ? undefined : isDropping ? drop() : client.write(bytes)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const through = new URL(url);
  through.port = `${(server.address() as AddressInfo).port}`;
  return {
    url: through.href,
    dropNext: (moment) => {
      next = moment;
    },
    drops: () => drops,
    hang: () => {
      hangs = true;
    },
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
