import { anthropic } from "../anthropic/anthropic.ts";
import type { FormatName } from "../codec.ts";
import { formatEvidence, type FormatEvidence } from "../detect-format.ts";
import { openaiChat } from "../openai-chat/openai-chat.ts";
import { decodeMessages, encodeMessages, type MessageCodec } from "./codec-records.ts";
import type { Entry, RecordDecoder, RecordsFormat } from "./transcript-format.ts";
import { TurnDecoder } from "./turn-decoder.ts";

/** Files with one message per line. */
export const anthropicLines: RecordsFormat = messageLines(anthropic, "Anthropic messages, one per line");
export const chatLines: RecordsFormat = messageLines(openaiChat, "OpenAI chat messages, one per line");

function messageLines<Native extends object>(codec: MessageCodec<Native>, title: string): RecordsFormat {
  const isMessage = (record: object): record is Native => evidenceOf(record)?.possible.includes(codec.name) === true;
  return {
    name: `${codec.name}-lines`,
    title,
    wire: codec.name,
    layout: "records",
    detect: (record, position) => certainFormat(record, position) === codec.name,
    fits: isMessage,
    createDecoder: () => new LineDecoder(codec, isMessage),
    encode: (records, view) => encodeMessages(codec, records, view, isMessage),
  };
}

/** Judges a line as if it were the whole conversation; only the first line may open with the system prompt. */
function certainFormat(record: object, position: number): FormatName | undefined {
  const isSystem = "role" in record && (record.role === "system" || record.role === "developer");
  return isSystem && position > 0 ? undefined : evidenceOf(record)?.certain;
}

function evidenceOf(record: object): FormatEvidence | undefined {
  return "role" in record ? formatEvidence([record]) : undefined;
}

class LineDecoder<Native extends object> implements RecordDecoder {
  #begun = false;
  readonly #isMessage: (record: object) => record is Native;
  readonly #turns: TurnDecoder;

  constructor(codec: MessageCodec<Native>, isMessage: (record: object) => record is Native) {
    this.#isMessage = isMessage;
    this.#turns = new TurnDecoder((records) => decodeMessages(codec, records as readonly Native[]));
  }

  push(record: object): readonly Entry[] {
    if (!this.#isMessage(record)) return [];
    const begun = this.#begun;
    const complete = this.#turns.push(record);
    this.#begun = true;
    return begun ? complete : [{ kind: "trajectory", id: "messages" }, ...complete];
  }

  end(): readonly Entry[] {
    return this.#turns.end();
  }
}
