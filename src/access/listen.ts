import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { PalimpsestError } from "../errors/palimpsest-error.ts";

/** Returns the address, such as "http://127.0.0.1:4141". Throws `LISTEN_FAILED`. Port 0 means any free port. */
export async function listen(server: Server, { host, port }: { readonly host: string; readonly port: number }): Promise<string> {
  const name = host.replace(/^\[|\]$/g, "");
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => reject(listenFailed(host, port, error));
    server.once("error", fail);
    server.listen(port, name, () => {
      server.off("error", fail);
      resolve();
    });
  });
  const { port: taken } = server.address() as AddressInfo;
  return `http://${name.includes(":") ? `[${name}]` : name}:${taken}`;
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use",
  EACCES: "this user may not use that port",
  EADDRNOTAVAIL: "this machine has no such address",
  ENOTFOUND: "there is no such host",
};

function listenFailed(host: string, port: number, error: NodeJS.ErrnoException): PalimpsestError {
  const reason = REASONS[error.code ?? ""] ?? error.message;
  return new PalimpsestError("LISTEN_FAILED", `Cannot listen on ${host}, port ${port}: ${reason}`, { host, port, reason }, error);
}
