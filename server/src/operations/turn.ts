import type { Target } from '../access/predicates.ts';

/** The logs whose writes are serial with this write: of its server, and further ones to which it appends. */
export interface Turn {
  serverId: string | undefined;
  alsoIn: readonly string[];
}

/** Thrown by a write whose target is in other logs than expected. The write starts again with these. */
export class Elsewhere extends Error {
  readonly turn: Turn;
  constructor(turn: Turn) {
    super('the target is in another server');
    this.turn = turn;
  }
}

/** Throws `Elsewhere` unless the turn covers the logs of the target. */
export function requireTurn(turn: Turn, { serverId: given, alsoIn = [] }: Target): void {
  const serverId = given ?? undefined;
  if (serverId === turn.serverId && alsoIn.every((other) => turn.alsoIn.includes(other))) return;
  throw new Elsewhere({ serverId, alsoIn });
}
