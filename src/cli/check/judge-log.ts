import type { FormatName } from "../../formats/codec.ts";
import { codecOf } from "../../formats/codecs.ts";
import type { Finding } from "../../messages/check-messages.ts";
import { blocksOf, isText, isThinking, type Message } from "../../messages/message.ts";

export interface JudgedLog {
  /** As `slimMessage` leaves them, so that they do not keep the file's records in memory. */
  readonly log: readonly Message[];
  /** Which provider's rules each message was made under, where the file says so. */
  readonly wires: readonly (FormatName | undefined)[];
}

/** Returns what the providers of a session would refuse, checking each message by the rules of the provider it was made for. */
export function judgeSession({ log, wires: recorded }: JudgedLog, usual: FormatName, history: boolean): { rules: readonly FormatName[]; findings: Finding[] } {
  const wires = wiresOf(log, recorded, usual);
  const rules = [...new Set(wires)];
  const [only = usual] = rules;
  const findings = rules.length <= 1 ? check(only, codecOf(only).encode(log), history) : rules.flatMap((wire) => checkOwn(wire, log, wires, history));
  return { rules: rules.length === 0 ? [usual] : rules, findings: findings.filter((finding) => !isOfTheApi(finding, log)) };
}

function check(wire: FormatName, messages: readonly object[], history: boolean): Finding[] {
  return codecOf(wire).check(messages, { history });
}

/** A message from the user or a tool belongs to the provider that answers it or, if none does, to the last one. */
function wiresOf(log: readonly Message[], recorded: JudgedLog["wires"], usual: FormatName): FormatName[] {
  const wires: FormatName[] = [];
  let next: FormatName | undefined;
  for (let position = log.length - 1; position >= 0; position--) {
    if (log[position]?.role === "assistant") next = recorded[position] ?? usual;
    wires[position] = next ?? recorded.findLast((wire) => wire !== undefined) ?? usual;
  }
  return wires;
}

/** Checks the whole log, which pairing calls and results needs, but keeps only findings about messages of this wire. */
function checkOwn(wire: FormatName, log: readonly Message[], wires: readonly FormatName[], history: boolean): Finding[] {
  const codec = codecOf(wire);
  const positions: number[] = [];
  const messages = log.flatMap((message, position) => {
    const encoded = codec.encode([message]);
    for (let count = 0; count < encoded.length; count++) positions.push(position);
    return encoded;
  });
  return check(wire, messages, history).filter(({ path }) => {
    const position = positions[placeIn(path)[0] ?? -1];
    return position === undefined ? wire === wires[0] : wires[position] === wire;
  });
}

/**
 * The API itself writes blocks of line breaks before its thinking and its calls. Agents record them but do not send them,
 * so they are not a fault of the session (A1.6, A4.4).
 */
function isOfTheApi({ rule, path }: Finding, log: readonly Message[]): boolean {
  if (rule !== "A1.6" && rule !== "A4.4") return false;
  const [position = -1, block] = placeIn(path);
  const message = log[position];
  if (message?.role !== "assistant") return false;
  const blocks = blocksOf(message);
  const isBlank = (number: number): boolean => blocks[number] !== undefined && isText(blocks[number]) && !/\S/.test(blocks[number].text);
  if (rule === "A4.4") return blocks.slice(0, blocks.findIndex(isThinking)).every((_, number) => isBlank(number));
  return block !== undefined && blocks.some((_, number) => !isBlank(number));
}

/** The numbers in a path such as `messages.3.content.0` or `input.3`. */
function placeIn(path: string): readonly number[] {
  return [...path.matchAll(/\d+/g)].map(([digits]) => Number(digits));
}
