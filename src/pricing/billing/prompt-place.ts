/** The place of a block in the request. `position` counts messages; it is 0 in `tools` and `system`. */
export interface PromptPlace {
  readonly part: "tools" | "system" | "messages";
  readonly position: number;
  readonly block: number;
}

export function pathOf({ part, position, block }: PromptPlace): string {
  return part === "messages" ? `messages.${position}.content.${block}` : `${part}.${block}`;
}
