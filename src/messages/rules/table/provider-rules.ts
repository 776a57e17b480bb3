/**
 * Every rule of a provider that is cited anywhere in this repository: `A2.1` in a comment, a test or a finding is a row here.
 * `docs/provider-rules.md` is written from it (`npm run docs`), and `npm run check:docs` compares it with the citations.
 */
import { AI_SDK } from "./ai-sdk-rules.ts";
import { STRUCTURE } from "./anthropic-structure.ts";
import { CACHE, COMPACTION, THINKING } from "./anthropic-thinking.ts";
import { SERVER_TOOLS, TOOLS } from "./anthropic-tools.ts";
import { CHAT, RESPONSES } from "./openai-rules.ts";
import type { Provider } from "./provider-rule.ts";

/** When they were collected: providers change their rules. */
export const RULES_AS_OF = "2026-11-15";

export const PROVIDER_RULES: readonly Provider[] = [
  { name: "Anthropic Messages", groups: [STRUCTURE, TOOLS, SERVER_TOOLS, THINKING, COMPACTION, CACHE] },
  { name: "OpenAI Chat Completions", groups: [CHAT] },
  { name: "OpenAI Responses", groups: [RESPONSES] },
  { name: "AI SDK", groups: [AI_SDK] },
];
