import type { ProtocolName, ScriptedCall, SeenRequest } from "../../src/testing/index.ts";

/** An agent that runs headless, unmodified, against a base URL. */
export interface Agent {
  /** As `--agents` knows it: "opencode-chat". */
  readonly name: string;
  readonly protocol: ProtocolName;
  /** Its program, in `node_modules`. */
  readonly program: string;
  /** Writes what the agent reads from its home. Called again where the address changes. */
  readonly setUp: (place: Place, baseUrl: string, settings: AgentSettings) => void;
  readonly command: (place: Place, baseUrl: string, ask: Ask) => Command;
  /** How a model of this agent asks for each kind of work: one call after the other. */
  readonly read: (file: string) => CallMaker;
  readonly run: (command: string) => CallMaker;
  readonly edit: (change: Change) => CallMaker;
  /** Hands a task to a sub-agent and waits for it. None: the agent has no sub-agents. */
  readonly delegate: ((prompt: string) => readonly CallMaker[]) | undefined;
  /** Whether a file that is read with `read` is known as a file by its tool. */
  readonly readsFiles: boolean;
  /** How it compacts its own context. */
  readonly compaction: Compaction;
  /** What a result says that differs from run to run is taken out. */
  readonly settled: (result: string) => string;
}

/** Where an agent runs: the same paths in every run, so that results can be compared. */
export interface Place {
  readonly home: string;
  readonly work: string;
}

export interface AgentSettings {
  /** From how many tokens on the agent compacts by itself; undefined: never. */
  readonly compactsAt: number | undefined;
}

export interface Ask {
  readonly prompt: string;
  /** Goes on with the last session. */
  readonly continues: boolean;
}

export interface Command {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface Change {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** A call may need what an earlier result said, such as the id of a sub-agent. */
export type CallMaker = (request: SeenRequest, place: Place) => Omit<ScriptedCall, "id">;

/** `prompt`: what a user types in a session. `limit`: it happens when the context is over a limit. */
export type Compaction =
  { readonly by: "prompt"; readonly prompt: string } | { readonly by: "limit"; readonly tokens: number } | { readonly by: "none"; readonly why: string };
