/** A provider that answers at once, so that only the proxy is measured. Prints its port. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const MESSAGE = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-opus-5",
  content: [{ type: "text", text: "Ok." }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 2, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
};
const START = { type: "message_start", message: { ...MESSAGE, content: [], stop_reason: null } };
const WORDS = Array.from({ length: 20 }, () => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "" } }));
const EVENTS = [
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  ...WORDS,
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Ok." } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 2 } },
  { type: "message_stop" },
];
const written = (event: { readonly type: string }): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const [START_BYTES, REST_BYTES] = [Buffer.from(written(START)), Buffer.from(EVENTS.map(written).join(""))];
const WHOLE = Buffer.from(JSON.stringify(MESSAGE));

/** Of a conversation that is being built up: the call that its next message answers. */
function answerFor(next: string | string[] | undefined): typeof MESSAGE {
  return typeof next === "string" ? { ...MESSAGE, content: JSON.parse(next) as typeof MESSAGE.content, stop_reason: "tool_use" } : MESSAGE;
}

function eventsOf(message: typeof MESSAGE): { readonly type: string }[] {
  const blocks = message.content.flatMap((block, index) => {
    const { input, ...rest } = block as { readonly input?: object };
    const delta = input === undefined ? { type: "text_delta", text: block.text } : { type: "input_json_delta", partial_json: JSON.stringify(input) };
    const start = input === undefined ? { type: "text", text: "" } : { ...rest, input: {} };
    return [
      { type: "content_block_start", index, content_block: start },
      { type: "content_block_delta", index, delta },
      { type: "content_block_stop", index },
    ];
  });
  return [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } } as { type: string },
    ...blocks,
    { type: "message_delta", delta: { stop_reason: message.stop_reason, stop_sequence: null }, usage: { output_tokens: 2 } } as { type: string },
    { type: "message_stop" },
  ];
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    // A proxy that rewrites the body may move the key, so search all chunks.
    const isStream = chunks.some((chunk) => chunk.includes('"stream":true'));
    const next = request.headers["x-bench-next"];
    if (next !== undefined) {
      const message = answerFor(next);
      if (!isStream) return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(message));
      response.writeHead(200, { "content-type": "text/event-stream" });
      return void response.end(eventsOf(message).map(written).join(""));
    }
    if (!isStream) {
      response.writeHead(200, { "content-type": "application/json", "content-length": WHOLE.length }).end(WHOLE);
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(START_BYTES);
    response.end(REST_BYTES);
  });
});
// A client that is slower than node's five seconds must not find a closed connection.
server.keepAliveTimeout = 600_000;
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
