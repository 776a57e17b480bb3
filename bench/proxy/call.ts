import { Agent, request as open } from "node:http";
import { performance } from "node:perf_hooks";
import type { Contestant } from "./contestants.ts";

const agents = new Map<string, Agent>();

export interface Timed {
  readonly firstByteMs: number;
  readonly totalMs: number;
}

/** Sends one body and reads the answer to its end. `next`: the provider's answer, as JSON. */
export function call({ url, headers }: Contestant, body: string, next?: string): Promise<Timed> {
  const agent = agents.get(url) ?? new Agent({ keepAlive: true });
  agents.set(url, agent);
  const bytes = Buffer.from(body);
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    let firstByteMs: number | undefined;
    const outgoing = open(
      `${url}/v1/messages`,
      {
        agent,
        method: "POST",
        headers: {
          "content-type": "application/json",
          "anthropic-version": "2023-06-01",
          "x-api-key": "key",
          "content-length": bytes.length,
          ...(next === undefined ? {} : { "x-bench-next": next }),
          ...headers,
        },
      },
      (response) => {
        response.on("data", () => (firstByteMs ??= performance.now() - startedMs));
        response.on("error", reject);
        response.on("end", () => {
          if (response.statusCode !== 200) reject(new Error(`${url} answered with ${response.statusCode}`));
          else resolve({ firstByteMs: firstByteMs ?? Number.NaN, totalMs: performance.now() - startedMs });
        });
      },
    );
    outgoing.on("error", (error) => {
      // The connection was idle for too long and was closed: not a failure of the contestant.
      if (outgoing.reusedSocket && firstByteMs === undefined) call({ url, headers, name: "", pid: undefined }, body, next).then(resolve, reject);
      else reject(new Error(`${url}: ${error.message}`));
    });
    outgoing.end(bytes);
  });
}
