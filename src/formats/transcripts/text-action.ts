import { textBlock, type Block, type ToolUseBlock } from "../../messages/message.ts";
import { fieldAt } from "./unchecked-fields.ts";

/** A command that stands in the assistant's text, as the call that it is. Such calls have no id, so their place gives them one. */
export function textAction(command: string, position: number): ToolUseBlock {
  return { type: "tool_use", id: `action_${position}`, name: "bash", input: { command } };
}

export function commandOf({ input }: ToolUseBlock): string {
  const command = fieldAt(input, "command");
  return typeof command === "string" ? command : JSON.stringify(input);
}

/** What stands before or after a call in the same text. */
export function saying(text: string): readonly Block[] {
  return text.trim() === "" ? [] : [textBlock(text.trim())];
}

/** What stands in one text, part by part; empty parts leave no gap. */
export function inOneText(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}
