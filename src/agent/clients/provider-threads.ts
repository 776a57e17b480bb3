import { isRecord } from "../../errors/is-record.ts";
import { parseObject } from "./http-exchange.ts";

/**
 * Anthropic can keep a conversation (`thread`), and then gets only new messages. But it would keep our view instead of the client's conversation, so
 * every request is sent whole. A client that continues a kept thread gets the provider's own error for a missing thread, which makes the SDK send the
 * whole conversation again.
 */
export function withoutProviderThread(body: string): { readonly body: string } | { readonly refusal: Response } {
  const parsed = body.includes('"thread"') ? parseObject(body) : undefined;
  const { thread, ...rest } = parsed ?? {};
  if (!isRecord(thread)) return { body };
  return thread["type"] === "continue" ? { refusal: threadNotFound() } : { body: JSON.stringify(rest) };
}

function threadNotFound(): Response {
  const error = {
    type: "not_found_error",
    message:
      'No usable Thread state was found for `previous_message_id`. Replay the full conversation with `thread: {"type": "create"}` to start a new Thread.',
    details: { error_code: "thread_not_found" },
  };
  return Response.json({ type: "error", error }, { status: 404 });
}
