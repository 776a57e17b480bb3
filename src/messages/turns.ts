import { blocksOf, type Block, type Message } from "./message.ts";
import type { Place } from "./place.ts";

export interface PlacedBlock extends Place {
  readonly part: Block;
}

/** Neighbouring messages of one role, which the provider reads as one (A1.3). */
export interface Turn {
  readonly role: Message["role"];
  readonly blocks: readonly PlacedBlock[];
  readonly first: number;
  readonly last: number;
}

export function turnsOf(messages: readonly Message[]): Turn[] {
  const turns: (Turn & { blocks: PlacedBlock[]; last: number })[] = [];
  let turn: (Turn & { blocks: PlacedBlock[]; last: number }) | undefined;
  messages.forEach((message, position) => {
    if (turn?.role !== message.role) {
      turn = { role: message.role, blocks: [], first: position, last: position };
      turns.push(turn);
    }
    const { blocks } = turn;
    turn.last = position;
    blocksOf(message).forEach((part, block) => {
      blocks.push({ position, block, part });
    });
  });
  return turns;
}
