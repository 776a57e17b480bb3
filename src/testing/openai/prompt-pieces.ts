import { recordsOf, type Json } from "./json-values.ts";
import { sideOfItem, typeOfItem } from "./response-items.ts";

/** A tool, the instructions, a message or an item: what is counted and cached. */
export interface PromptPiece {
  readonly value: unknown;
  /** F: a message that can have an implicit breakpoint ends here: the instructions at the start, words of the user, the last of several results. */
  readonly endsMessage: boolean;
}

/** A request as the prompt cache sees it. */
export interface CachedPrompt {
  readonly body: Json;
  readonly pieces: readonly PromptPiece[];
}

type Role = "tools" | "instructions" | "user" | "result" | "other";

/** The tools, then each message. */
export function chatPrompt(body: Json): CachedPrompt {
  const messages = recordsOf(body["messages"]);
  const tools = recordsOf(body["tools"]);
  return { body, pieces: piecesOf([...tools.map(asTool), ...messages.map((value) => ({ value, role: roleOfMessage(value) }))]) };
}

/** The tools, the instructions, then each item. */
export function responsesPrompt(body: Json, conversation: readonly Json[]): CachedPrompt {
  const { instructions } = body;
  const told = typeof instructions === "string" ? [instructions] : recordsOf(instructions);
  return {
    body,
    pieces: piecesOf([
      ...recordsOf(body["tools"]).map(asTool),
      ...told.map((value) => ({ value, role: "instructions" as const })),
      ...conversation.map((value) => ({ value, role: roleOfItem(value) })),
    ]),
  };
}

interface Placed {
  readonly value: unknown;
  readonly role: Role;
}

function asTool(value: Json): Placed {
  return { value, role: "tools" };
}

function piecesOf(placed: readonly Placed[]): readonly PromptPiece[] {
  // Instructions in the middle of a conversation end nothing.
  const begins = placed.findIndex(({ role }) => role !== "tools" && role !== "instructions");
  const start = begins === -1 ? placed.length : begins;
  return placed.map(({ value, role }, index) => {
    const isLast = index + 1 >= placed.length || placed[index + 1]?.role !== role;
    const endsMessage = role === "user" || (role === "result" && isLast) || (role === "instructions" && index === start - 1);
    return { value, endsMessage };
  });
}

function roleOfMessage({ role }: Json): Role {
  if (role === "user") return "user";
  if (role === "system" || role === "developer") return "instructions";
  return role === "tool" || role === "function" ? "result" : "other";
}

function roleOfItem(item: Json): Role {
  switch (sideOfItem(item)) {
    case "user":
      return "user";
    case "tool":
      return "result";
    case "developer":
      return typeOfItem(item) === "message" ? "instructions" : "other";
    case "model":
      return "other";
  }
}
