import { guardMethods } from "../errors/guarded.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import { boolean, parseOptions } from "../errors/parse-options.ts";
import type { Edit } from "../edits/edit.ts";
import { render, type RenderTarget } from "../edits/render.ts";
import { report, type ViewReport } from "../edits/report.ts";
import type { Finding } from "../messages/check-messages.ts";
import type { Message } from "../messages/message.ts";
import { isRecord } from "../errors/is-record.ts";
import type { Target } from "../messages/target.ts";
import type { Replacement } from "../passes/replace-between-checkpoints/replace-between-checkpoints.ts";
import { checkpointsIn } from "../stateless/checkpoints-in.ts";
import { collapseToolChains } from "../stateless/collapse-tool-chains.ts";
import { compactOldToolResults, type BudgetConfig } from "../stateless/compact-old-tool-results.ts";
import { compactThread, type CompactThreadOptions } from "../stateless/compact-thread.ts";
import { compressToolResult } from "../stateless/compress-tool-result.ts";
import type { CompressorConfig } from "../stateless/compressor-config.ts";
import { pruneMessages } from "../stateless/prune-messages.ts";
import type { PrunerConfig } from "../stateless/pruner-config.ts";
import { summarizeAndPrune, type Summarizer } from "../stateless/summarize-and-prune.ts";
import type { CheckOptions, Codec } from "./codec.ts";
import { headLength } from "./head-of-log.ts";
import { mergeNeighbours } from "./merge-neighbours.ts";

/**
 * The functions of this package for the messages of one format. Unchanged messages are the same objects. New ones have the
 * format's own shape, so an array of the SDK's type comes back as one.
 */
export interface FormatFunctions<Native extends object, NativeResult extends object> {
  checkMessages(messages: readonly Native[], options?: CheckOptions): Finding[];
  /** Positions are those of `decode(log)`. */
  render<M extends Native>(log: readonly M[], edits: readonly Edit[], target?: RenderTarget): M[];
  /** Positions are those of `decode(log)`. */
  report(log: readonly Native[], edits: readonly Edit[], target?: RenderTarget): ViewReport;
  compressToolResult<R extends NativeResult>(result: R, config?: CompressorConfig): R;
  collapseToolChains<M extends Native>(messages: readonly M[], config: CompressorConfig, target?: Partial<Target>): M[];
  pruneMessages<M extends Native>(messages: readonly M[], config: PrunerConfig, target?: Partial<Target>): M[];
  summarizeAndPrune<M extends Native>(
    messages: readonly M[],
    config: PrunerConfig & { readonly summaryModel?: string },
    summarizer: Summarizer,
    target?: Partial<Target>,
  ): Promise<M[]>;
  compactOldToolResults<M extends Native>(messages: readonly M[], config: BudgetConfig, target?: Partial<Target>): { messages: M[]; compacted: number };
  compactThread<M extends Native>(messages: readonly M[], replacements: readonly Replacement[], options?: CompactThreadOptions): M[];
  /** Positions are those of `decode(messages)`. */
  checkpointsIn(messages: readonly Native[]): { id: string; position: number }[];
}

export interface FormatOptions {
  /** Merges neighbours of one role, for servers that require alternating roles. Default false. */
  readonly alternate?: boolean;
}

export function forFormat<Native extends object, NativeResult extends object>(
  codec: Codec<Native, NativeResult>,
  options: FormatOptions = {},
): FormatFunctions<Native, NativeResult> {
  if (!isRecord(codec) || typeof codec.decode !== "function" || typeof codec.encode !== "function")
    throw invalid("INVALID_INPUT", "codec", "a codec, such as openaiChat", codec);
  const { alternate = false } = parseOptions(options, "options", { alternate: boolean });
  const encodeView = (view: readonly Message[]): Native[] => codec.encode(alternate ? mergeNeighbours(view) : view);

  /** Invalid targets pass through: the function itself refuses them. */
  const targetOf = <T extends Partial<Target>>(given: T | undefined): T =>
    given === undefined || isObject(given) ? ({ ...codec.target, ...given } as T) : given;

  const openThread = <M extends Native>(messages: readonly M[]): Thread<M> => {
    const log = codec.decode(messages);
    const conversation = log.slice(headLength(log));
    const head = log.slice(0, log.length - conversation.length);
    // The SDK types are unions of everything that the provider accepts, and `encode` writes members of them.
    return { conversation, encode: (view) => encodeView([...head, ...view]) as M[] };
  };

  const functions: FormatFunctions<Native, NativeResult> = {
    checkMessages: (messages, options) => codec.check(messages, options),
    render: <M extends Native>(log: readonly M[], edits: readonly Edit[], target?: RenderTarget) =>
      encodeView(render(codec.decode(log), edits, targetOf(target))) as M[],
    report: (log, edits, target) => report(codec.decode(log), edits, targetOf(target)),
    compressToolResult: <R extends NativeResult>(result: R, config?: CompressorConfig) => {
      const block = codec.decodeResult(result, "result");
      const shown = compressToolResult(block, config);
      return shown === block ? result : (codec.encodeResult(shown) as R);
    },
    collapseToolChains: (messages, config, target) => {
      const { conversation, encode } = openThread(messages);
      return encode(collapseToolChains(conversation, config, targetOf(target)));
    },
    pruneMessages: (messages, config, target) => {
      const { conversation, encode } = openThread(messages);
      return encode(pruneMessages(conversation, config, targetOf(target)));
    },
    summarizeAndPrune: async (messages, config, summarizer, target) => {
      const { conversation, encode } = openThread(messages);
      return encode(await summarizeAndPrune(conversation, config, summarizer, targetOf(target)));
    },
    compactOldToolResults: (messages, config, target) => {
      const { conversation, encode } = openThread(messages);
      const { messages: view, compacted } = compactOldToolResults(conversation, config, targetOf(target));
      return { messages: encode(view), compacted };
    },
    compactThread: (messages, replacements, given) => {
      const { conversation, encode } = openThread(messages);
      if (given !== undefined && !isObject(given)) throw invalid("INVALID_OPTION", "options", "an object", given);
      return encode(compactThread(conversation, replacements, { ...given, target: targetOf(given?.target) }));
    },
    checkpointsIn: (messages) => checkpointsIn(codec.decode(messages)),
  };
  return guardMethods(functions, {
    checkMessages: ["messages", "options"],
    render: ["log", "edits", "target"],
    report: ["log", "edits", "target"],
    compressToolResult: ["result", "config"],
    collapseToolChains: ["messages", "config", "target"],
    pruneMessages: ["messages", "config", "target"],
    summarizeAndPrune: ["messages", "config", "summarizer", "target"],
    compactOldToolResults: ["messages", "config", "target"],
    compactThread: ["messages", "replacements", "options"],
    checkpointsIn: ["messages"],
  });
}

interface Thread<M> {
  readonly conversation: readonly Message[];
  readonly encode: (view: readonly Message[]) => M[];
}

/** `isRecord` for a value that already has a static type. */
function isObject(value: object): boolean {
  return isRecord(value);
}
