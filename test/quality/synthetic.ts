import { createDocumentFrequency } from "../../bench/quality/measure/document-frequency.ts";
import { prepareTrajectories, type PreparedTrajectory } from "../../bench/quality/measure/prepare.ts";
import { createRandom } from "../../bench/quality/measure/random.ts";
import type { Recording } from "../../bench/quality/measure/recording.ts";
import { segmentsOf } from "../../bench/quality/measure/segments.ts";
import { TOKEN_COUNTERS } from "../../bench/quality/measure/token-counters.ts";
import type { Message } from "../../src/index.ts";
import { assistant, res, text, use, user } from "../support/build.ts";

export function recordingOf(log: readonly Message[], fields: Partial<Recording> = {}): Recording {
  const none = log.map(() => undefined);
  return { id: "a", task: "a", source: "test", wire: "anthropic", model: "test", system: "", tools: [], log, times: none, models: none, ...fields };
}

export function prepare(recordings: readonly Recording[]): readonly PreparedTrajectory[] {
  const documents = recordings.map(({ task, log }) => ({ task, texts: log.flatMap(segmentsOf).map(({ text }) => text) }));
  return prepareTrajectories(recordings, createDocumentFrequency(documents), TOKEN_COUNTERS.chars);
}

export function prepareOne(log: readonly Message[], fields: Partial<Recording> = {}): PreparedTrajectory {
  const [prepared] = prepare([recordingOf(log, fields)]);
  if (prepared === undefined) throw new Error("one recording, one trajectory");
  return prepared;
}

/** This many rounds in which nothing is read that matters. */
export function idle(rounds: number, prefix: string): Message[] {
  return Array.from({ length: rounds }, (_, number) => [
    assistant(use(`${prefix}${number}`, "read", { command: "ls" })),
    user(res(`${prefix}${number}`, "nothing new")),
  ]).flat();
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const CALLS = 30;
const LINES = 40;

/** Tasks whose agent reads long files and, some calls later, uses single lines and names of them. */
export function syntheticTasks(count: number): readonly Recording[] {
  return Array.from({ length: count }, (_, task) => {
    const random = createRandom(task + 1);
    const below = (limit: number): number => Math.floor(random() * limit);
    const word = (): string => Array.from({ length: 6 }, () => LETTERS.charAt(below(26))).join("");
    const name = (): string => `${word()}_${word()}`;
    const log: Message[] = [user(`Task ${task}: make it work.`)];
    const read: string[][] = [];
    for (let step = 0; step < CALLS; step++) {
      const source = read[below(Math.max(1, read.length - 2))];
      const line = source?.[below(LINES)] ?? "";
      const [used = ""] = line.trim().split(" ");
      const input = step % 2 === 0 || line === "" ? { path: `${word()}.ts` } : { old_string: line, pattern: used };
      const lines = Array.from({ length: LINES }, () => `${name()} = ${word()}(${word()}, ${word()}) + ${name()};`);
      read.push(lines);
      log.push(assistant(use(`c${step}`, "read", input)), user(res(`c${step}`, lines.join("\n"))));
    }
    log.push(assistant(text("Done.")));
    return recordingOf(log, { id: `task ${task}`, task: `task ${task}` });
  });
}
