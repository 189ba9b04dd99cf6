import type { Target } from '../access/predicates.ts';

/** The server among whose writes a write takes its turn, and further logs that it appends to. */
export interface Turn {
  serverId: string | undefined;
  alsoIn: readonly string[];
}

/** Thrown by a write whose target is elsewhere than its turn: it begins again where its target is. */
export class Elsewhere extends Error {
  readonly turn: Turn;
  constructor(turn: Turn) {
    super('the target is in another server');
    this.turn = turn;
  }
}

/** Throws `Elsewhere` unless the turn is that of the target. */
export function requireTurn(turn: Turn, { serverId, alsoIn = [] }: Target): void {
  if (serverId === turn.serverId && alsoIn.every((other) => turn.alsoIn.includes(other))) return;
  throw new Elsewhere({ serverId, alsoIn });
}
