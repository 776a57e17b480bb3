import { AnthropicAdapter, compactMessages, fromAnthropic, type CompactOptions, type Message as ChefMessage } from "@context-chef/core";
import { newerHalf, RECENT_RESULTS } from "../kept.ts";
import { createSubject, expectWork, type Job, type Subject } from "../subject.ts";
import { throughJson } from "../threads/through-json.ts";

type AnthropicMessages = Parameters<typeof fromAnthropic>[0];

/**
 * It handles each message separately: nothing is removed, so it need not know which result belongs to which call. It works on its own flat
 * messages and includes the conversion from and to Anthropic's. The fair comparison includes this conversion, because ours takes and returns
 * Anthropic's messages. The bare ones, without it, are for information.
 */
export const contextChefSubjects: readonly Subject[] = [
  compact("context-chef compactMessages (results), bare", ["shorten results", "take out old calls"], () => RECENT_RESULTS, false),
  compact("context-chef compactMessages (older half, thinking), bare", ["replace a range"], newerHalf, true),
  compactAnthropic("context-chef compactMessages (results)", ["shorten results", "take out old calls"], () => RECENT_RESULTS, false),
  compactAnthropic("context-chef compactMessages (older half, thinking)", ["replace a range"], newerHalf, true),
];

interface Input {
  readonly history: ChefMessage[];
  readonly options: CompactOptions;
  readonly results: number;
  readonly keep: number;
}

function compact(name: string, jobs: readonly Job[], keepOf: (results: number) => number, thinking: boolean): Subject {
  return createSubject<Input, ChefMessage[]>({
    name,
    jobs,
    isBare: true,
    convert(messages) {
      const { history } = throughJson(fromAnthropic(messages as AnthropicMessages));
      const results = countResults(history);
      const keep = Math.max(1, keepOf(results));
      return { history, results, keep, options: optionsFor(keep, thinking) };
    },
    run: ({ history, options }) => compactMessages(history, options),
    check({ history, results, keep }, after) {
      const cleared = after.filter(({ role, content }, index) => role === "tool" && content !== history[index]?.content).length;
      expectWork(cleared > 0 && cleared === results - keep, name, `${cleared} of ${results} results were cleared`);
      expectWork(!thinking || after.every((message) => message.thinking === undefined), name, "thinking is left");
      return `${cleared} of ${results} results cleared`;
    },
  });
}

interface AnthropicInput {
  readonly messages: AnthropicMessages;
  readonly options: CompactOptions;
}

function compactAnthropic(name: string, jobs: readonly Job[], keepOf: (results: number) => number, thinking: boolean): Subject {
  const adapter = new AnthropicAdapter();
  return createSubject<AnthropicInput, AnthropicMessages>({
    name,
    jobs,
    convert(given) {
      const messages = given as AnthropicMessages;
      return { messages, options: optionsFor(Math.max(1, keepOf(countResults(fromAnthropic(messages).history))), thinking) };
    },
    run: ({ messages, options }) => adapter.compile(compactMessages(fromAnthropic(messages).history, options)).messages,
    check({ messages }, after) {
      const [charsBefore, charsAfter] = [JSON.stringify(messages).length, JSON.stringify(after).length];
      expectWork(charsAfter < charsBefore, name, `${charsAfter} of ${charsBefore} characters are left`);
      expectWork(!thinking || !JSON.stringify(after).includes('"type":"thinking"'), name, "thinking is left");
      return `${charsAfter} of ${charsBefore} characters left`;
    },
  });
}

function countResults(history: readonly ChefMessage[]): number {
  return history.filter(({ role }) => role === "tool").length;
}

function optionsFor(keepRecent: number, thinking: boolean): CompactOptions {
  return { clear: [{ target: "tool-result", keepRecent }, ...(thinking ? (["thinking"] as const) : [])] };
}
