import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { copilotCli } from "./copilot-cli.ts";
import { geminiCli } from "./gemini-cli.ts";
import { inspect } from "./inspect.ts";
import { langgraph } from "./langgraph.ts";
import { livemcpbench } from "./livemcpbench.ts";
import { aiSdkMessages, anthropicMessages, chatMessages, responseItems } from "./message-documents.ts";
import { anthropicLines, chatLines } from "./message-lines.ts";
import { miniSweAgent } from "./mini-swe-agent.ts";
import { opencode } from "./opencode.ts";
import { openhandsEvents } from "./openhands-events.ts";
import { openhandsLlm } from "./openhands-llm.ts";
import { pi } from "./pi.ts";
import { sweAgent } from "./swe-agent.ts";
import { tauBench } from "./tau-bench.ts";
import { tau2Bench } from "./tau2-bench.ts";
import type { TranscriptFormat } from "./transcript-format.ts";

/** All kinds of transcript files, in the order in which they are tried. Plain text fits all message formats, so the first of them gets it. */
export const TRANSCRIPT_FORMATS: readonly TranscriptFormat[] = [
  claudeCode,
  codex,
  copilotCli,
  pi,
  opencode,
  geminiCli,
  tauBench,
  tau2Bench,
  sweAgent,
  miniSweAgent,
  openhandsLlm,
  openhandsEvents,
  livemcpbench,
  langgraph,
  inspect,
  anthropicMessages,
  chatMessages,
  responseItems,
  aiSdkMessages,
  anthropicLines,
  chatLines,
];
