import { isIP } from "node:net";

/** Only this machine reaches it. */
export function isLoopbackHost(host: string): boolean {
  return host.toLowerCase() === "localhost" || host === "::1" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
}

export interface OwnHost {
  /** Where it listens. */
  readonly host: string;
  readonly token: string | undefined;
}

/** A web page can make a name of its own point at this machine, but not at its address: so under names of others nothing is shown. */
export function isOwnHost(host: string | undefined, own: OwnHost): boolean {
  const name = (host ?? "").replace(/:\d+$/, "").toLowerCase();
  return isLoopbackHost(name) || isIP(name.replace(/^\[|\]$/g, "")) !== 0 || name === own.host.toLowerCase() || own.token !== undefined;
}
