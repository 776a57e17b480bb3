import type { Codec } from "../formats/codec.ts";
import { headLength } from "../formats/head-of-log.ts";
import { guardMethods } from "../errors/guarded.ts";
import { isRecord } from "../errors/is-record.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import type { Message } from "../messages/message.ts";
import type { Edit } from "../edits/edit.ts";
import { compact, createCompactor, type CallStep, type Compacted, type Compactor, type CompactorOptions } from "./compactor.ts";
import type { Recallable } from "./recallable.ts";
import type { RecallInput, RecallOptions } from "./tools/recall-tool.ts";
import type { PolicyOptions } from "../policy/policy-options.ts";

/** A `Compacted` with messages of one format. */
export interface CompactedAs<Native> extends Omit<Compacted, "messages"> {
  readonly messages: Native[];
}

export interface CompactedOnceAs<Native> extends CompactedAs<Native>, Recallable {}

export interface CompactorFor<Native> extends Omit<Compactor, "next" | "append"> {
  next<M extends Native>(messages: readonly M[], step?: CallStep): CompactedAs<M>;
  append<M extends Native>(added: readonly M[], step?: CallStep): CompactedAs<M>;
}

/** The policy functions for messages of one format. Positions of edits and pins count `decode(messages)` without its leading system messages. */
export interface PolicyFunctions<Native extends object> {
  compact<M extends Native>(messages: readonly M[], options?: PolicyOptions): CompactedOnceAs<M>;
  plan(messages: readonly Native[], options?: PolicyOptions): Edit[];
  createCompactor(options?: CompactorOptions): CompactorFor<Native>;
}

/** Returns the policy functions of one format. Unchanged messages come back as the same objects; leading system messages stay in place, outside of the log. */
export function policyFor<Native extends object, NativeResult extends object>(codec: Codec<Native, NativeResult>): PolicyFunctions<Native> {
  if (!isRecord(codec) || typeof codec.decode !== "function" || typeof codec.encode !== "function")
    throw invalid("INVALID_INPUT", "codec", "a codec, such as openaiChat", codec);
  const withTarget = <O extends PolicyOptions>(options: O): O =>
    isRecord(options) && (options.target === undefined || isRecord(options.target)) ? { ...options, target: { ...codec.target, ...options.target } } : options;
  const open = (messages: readonly Native[]): { head: readonly Message[]; conversation: readonly Message[] } => {
    const log = codec.decode(messages);
    const length = headLength(log);
    return { head: log.slice(0, length), conversation: log.slice(length) };
  };
  // The SDKs' types are unions of everything their provider accepts, and `encode` writes one of these.
  const encoded = <M extends Native>(head: readonly Message[], compacted: Compacted): CompactedAs<M> => {
    const messages = codec.encode([...head, ...compacted.messages]) as M[];
    return {
      messages,
      edits: compacted.edits,
      get report() {
        return compacted.report;
      },
    };
  };
  const functions: PolicyFunctions<Native> = {
    compact: (messages, options = {}) => {
      const { head, conversation } = open(messages);
      const compacted = compact(conversation, withTarget(options));
      return Object.assign(encoded<(typeof messages)[number]>(head, compacted), recallableOf(compacted));
    },
    plan: (messages, options = {}) => [...compact(open(messages).conversation, withTarget(options)).edits],
    createCompactor: (options = {}) => {
      const compactor = createCompactor(withTarget(options));
      // All messages so far: the codec needs the messages of one turn together, and `append` gets only the new ones.
      let sent: readonly Native[] = [];
      const next = <M extends Native>(messages: readonly M[], step?: CallStep): CompactedAs<M> => {
        const { head, conversation } = open(messages);
        const compacted = encoded<M>(head, compactor.next(conversation, step));
        sent = messages;
        return compacted;
      };
      return {
        next,
        append: <M extends Native>(added: readonly M[], step?: CallStep) => next([...(sent as readonly M[]), ...added], step),
        pin: (position) => compactor.pin(position),
        unpin: (position) => compactor.unpin(position),
        ...recallableOf(compactor),
        explain: () => compactor.explain(),
        toJSON: () => compactor.toJSON(),
      };
    },
  };
  return guardMethods(functions, { compact: ["messages", "options"], plan: ["messages", "options"] });
}

function recallableOf(source: Recallable): Recallable {
  return {
    recall: (asked: string | RecallInput, options?: RecallOptions) => source.recall(asked as string, options),
    handles: () => source.handles(),
  };
}
