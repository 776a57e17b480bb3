import { codecOf } from "../src/formats/codecs.ts";
import type { FormatName } from "../src/formats/codec.ts";
import type { Message } from "../src/index.ts";
import { measure, ratioOf, type Plan } from "./measure.ts";
import { syntheticThread } from "./threads/synthetic.ts";

export interface CodecSpeed {
  readonly format: FormatName;
  readonly bytes: number;
  readonly parseMs: number;
  readonly codecMs: number;
  /** Time of decode, check and encode over that of `JSON.parse` of the same bytes. */
  readonly ratio: number;
}

export const CODEC_GOAL = 1;

const FORMATS: readonly FormatName[] = ["anthropic", "openai-chat", "openai-responses", "ai-sdk"];
const BYTES = 10_000_000;
/** Runs are long, so a short warm-up would end before the code is optimised. */
const WARM_UP_MS = 1_500;

/** Times a request of about 10 MB in each format: parsing it, and our own work. */
export async function compareCodecs(plan: Plan, progress: (text: string) => void): Promise<CodecSpeed[]> {
  const thread = threadOf(BYTES);
  const speeds: CodecSpeed[] = [];
  for (const format of FORMATS) {
    const codec = codecOf(format);
    const text = JSON.stringify(codec.encode(thread));
    const parse = { name: `JSON.parse ${format}`, arm: () => () => JSON.parse(text) as unknown };
    const work = {
      name: format,
      // Fresh objects for every run, so that nothing is cached from the previous run.
      arm: () => {
        const messages = JSON.parse(text) as object[];
        return () => {
          const log = codec.decode(messages);
          if (codec.check(messages, { history: true }).length > 0) throw new Error(`${format}: the thread has faults`);
          return codec.encode(log);
        };
      },
    };
    const [parsed, worked] = await measure([parse, work], { ...plan, warmUpMs: WARM_UP_MS }, progress);
    if (parsed === undefined || worked === undefined) continue;
    speeds.push({ format, bytes: text.length, parseMs: parsed.medianMs, codecMs: worked.medianMs, ratio: ratioOf(worked, parsed) });
  }
  return speeds;
}

function threadOf(bytes: number): readonly Message[] {
  const sample = JSON.stringify(syntheticThread(1_000)).length;
  return syntheticThread(Math.ceil((1_000 * bytes) / sample)).map(withoutThinking);
}

/** Not every format has a place for it. */
function withoutThinking(message: Message): Message {
  if (typeof message.content === "string") return message;
  return { ...message, content: message.content.filter(({ type }) => type !== "thinking" && type !== "redacted_thinking") };
}

export function printCodecSpeeds(speeds: readonly CodecSpeed[]): string {
  const rows = speeds.map(
    ({ format, bytes, parseMs, codecMs, ratio }) =>
      `  ${format.padEnd(18)}${(bytes / 1e6).toFixed(1).padStart(6)} MB   JSON.parse ${parseMs.toFixed(1).padStart(7)} ms   decode + check + encode ${codecMs.toFixed(2).padStart(7)} ms   ratio ${ratio.toFixed(3)}`,
  );
  return ["Codecs, a request of about 10 MB", ...rows, ""].join("\n");
}

export function missedCodecGoals(speeds: readonly CodecSpeed[]): string[] {
  return speeds.filter(({ ratio }) => ratio > CODEC_GOAL).map(({ format, ratio }) => `${format}: decode + check + encode at ${ratio.toFixed(2)} of JSON.parse`);
}
