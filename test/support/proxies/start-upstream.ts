import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after } from "node:test";

/** A request as it came, byte for byte. */
export interface SeenBytes {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

export interface Upstream {
  readonly url: string;
  readonly port: number;
  readonly seen: readonly SeenBytes[];
  /** Who answers from now on. */
  answer: (request: SeenBytes, response: ServerResponse) => void;
  close(): Promise<void>;
}

/** A server that notes what it gets and answers as the test says. It ends with the test that asks for it. */
export async function startUpstream(answer: Upstream["answer"]): Promise<Upstream> {
  const seen: SeenBytes[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => undefined);
    request.on("end", () => {
      const { method = "", url = "", headers, rawHeaders } = request;
      const one = { method, url, headers, rawHeaders, body: Buffer.concat(chunks) };
      seen.push(one);
      upstream.answer(one, response);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  after(close);
  const upstream: Upstream = { url: `http://127.0.0.1:${port}`, port, seen, answer, close };
  return upstream;
}

/** Streams these pieces: the first at once, and each of the others when `send` is called, which ends the answer after the last one. */
export async function startUpstreamInPieces(pieces: readonly string[]): Promise<Upstream & { readonly send: () => void }> {
  let send = (): void => undefined;
  const upstream = await startUpstream((_, response) => {
    const left = [...pieces];
    response.writeHead(200, { "content-type": "text/event-stream" });
    send = () => {
      const next = left.shift();
      if (next === undefined) response.end();
      else response.write(next);
    };
    send();
  });
  return Object.assign(upstream, { send: () => send() });
}

/** An answer of Anthropic's API. */
export const HELLO: Readonly<Record<string, unknown>> = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [{ type: "text", text: "Hello." }],
  stop_reason: "end_turn",
  usage: { input_tokens: 9, output_tokens: 2 },
};
