import { AnthropicAdapter, compactMessages, fromAnthropic, type CompactOptions, type Message as ChefMessage } from "@context-chef/core";
import { newerHalf, RECENT_RESULTS } from "../kept.ts";
import { createSubject, expectWork, type Job, type Subject } from "../subject.ts";

type AnthropicMessages = Parameters<typeof fromAnthropic>[0];

/**
 * It looks at each message by itself: nothing is taken out, so it need not know which result belongs to which call. The last one is
 * information: what the first costs with its own conversion from Anthropic's messages, which ours work on as they are, and back.
 */
export const contextChefSubjects: readonly Subject[] = [
  compact("context-chef compactMessages (results)", ["shorten results", "take out old calls"], () => RECENT_RESULTS, false),
  compact("context-chef compactMessages (older half, thinking)", ["replace a range"], newerHalf, true),
  compactAnthropic("context-chef compactMessages (results), with conversion"),
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
    convert(messages) {
      const { history } = fromAnthropic(structuredClone(messages) as AnthropicMessages);
      const results = history.filter(({ role }) => role === "tool").length;
      const keep = Math.max(1, keepOf(results));
      return { history, results, keep, options: { clear: [{ target: "tool-result", keepRecent: keep }, ...(thinking ? (["thinking"] as const) : [])] } };
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

function compactAnthropic(name: string): Subject {
  const adapter = new AnthropicAdapter();
  return createSubject<AnthropicMessages, AnthropicMessages>({
    name,
    jobs: [],
    convert: (messages) => structuredClone(messages) as AnthropicMessages,
    run: (messages) =>
      adapter.compile(compactMessages(fromAnthropic(messages).history, { clear: [{ target: "tool-result", keepRecent: RECENT_RESULTS }] })).messages,
    check(before, after) {
      const [charsBefore, charsAfter] = [JSON.stringify(before).length, JSON.stringify(after).length];
      expectWork(charsAfter < charsBefore, name, `${charsAfter} of ${charsBefore} characters are left`);
      return `${charsAfter} of ${charsBefore} characters left`;
    },
  });
}
