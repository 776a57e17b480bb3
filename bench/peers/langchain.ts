import { ClearToolUsesEdit, ToolMessage, type BaseMessage, type ContextEdit } from "langchain";
import { RECENT_RESULTS } from "../kept.ts";
import { createSubject, expectWork, type Job, type Subject } from "../subject.ts";
import { langchainMessages } from "./langchain-messages.ts";

const PLACEHOLDER = "[cleared]";

export const langchainSubjects: readonly Subject[] = [
  clear("langchain ClearToolUsesEdit (results)", ["shorten results"], false),
  clear("langchain ClearToolUsesEdit (results, inputs)", ["take out old calls"], true),
];

/**
 * It changes the array it is given, so every run gets a copy of the array. It counts tokens again after each result it clears;
 * triggered by the number of messages it never uses the count, so the counter here costs nothing.
 */
function clear(name: string, jobs: readonly Job[], clearToolInputs: boolean): Subject {
  const edit: ContextEdit = new ClearToolUsesEdit({ trigger: { messages: 1 }, keep: { messages: RECENT_RESULTS }, clearToolInputs, placeholder: PLACEHOLDER });
  return createSubject<BaseMessage[], BaseMessage[]>({
    name,
    jobs,
    convert: langchainMessages,
    copy: (messages) => [...messages],
    async run(messages) {
      await edit.apply({ messages, countTokens: () => 0 });
      return messages;
    },
    check(before, after) {
      const results = before.filter((message) => ToolMessage.isInstance(message)).length;
      const cleared = after.filter((message) => ToolMessage.isInstance(message) && message.content === PLACEHOLDER).length;
      expectWork(cleared > 0 && cleared === results - RECENT_RESULTS, name, `${cleared} of ${results} results were cleared`);
      return `${cleared} of ${results} results cleared`;
    },
  });
}
