import { isIP } from "node:net";

/** Says whether only this machine can reach the host. */
export function isLoopbackHost(host: string): boolean {
  return host.toLowerCase() === "localhost" || host === "::1" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
}

export interface OwnHost {
  /** The host that the server listens on. */
  readonly host: string;
  readonly token: string | undefined;
}

/** Says whether the host name is ours. A web page can point its own name at this machine (DNS rebinding), so other names are refused. */
export function isOwnHost(host: string | undefined, own: OwnHost): boolean {
  const name = (host ?? "").replace(/:\d+$/, "").toLowerCase();
  return isLoopbackHost(name) || isIP(name.replace(/^\[|\]$/g, "")) !== 0 || name === own.host.toLowerCase() || own.token !== undefined;
}
