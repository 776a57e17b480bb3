import { after } from "node:test";
import type { Engine } from "../../../src/proxy/engine.ts";
import { createProxy, type Proxy, type ProxyEvent, type ProxyOptions } from "../../../src/proxy/index.ts";

export interface StartedProxy {
  readonly url: string;
  readonly proxy: Proxy;
  readonly events: readonly ProxyEvent[];
  /** What `/metrics` counts under a name, all labels that begin so together. */
  readonly counted: (name: string) => Promise<number>;
}

/** Starts a proxy before one upstream, for both providers, on a free port. It ends with the test that asks for it. */
export async function startProxy(upstream: string, options: ProxyOptions = {}, engine?: Engine): Promise<StartedProxy> {
  const events: ProxyEvent[] = [];
  const proxy = createProxy(
    { port: 0, anthropicUpstream: upstream, openaiUpstream: upstream, shutdownMs: 1_000, onEvent: (event) => void events.push(event), ...options },
    engine,
  );
  const url = await proxy.listen();
  after(() => proxy.close());
  const counted = async (name: string): Promise<number> => {
    const lines = (await (await fetch(`${url}/metrics`)).text()).split("\n").filter((line) => line.startsWith(name));
    return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
  };
  return { url, proxy, events, counted };
}
