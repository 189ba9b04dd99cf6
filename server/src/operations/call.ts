import type { Caller } from '../access/authenticator.ts';
import type { Principal } from '../access/principal.ts';
import type { Reader, Tx } from '../db/contract.ts';
import type { EventTable } from '../feed/eventKind.ts';
import { newRow } from '../lib/deps.ts';
import type { Seal } from '../lib/seal.ts';
import type { Services } from './services.ts';
import type { Work } from './work.ts';

/** The surroundings of an operation's functions: who asks, the data, and the outside world. */
export interface Call<R extends Reader = Reader> {
  /** Throws an Error in an open operation, which has none. */
  readonly principal: Principal;
  /** The committed data; in a write, the transaction. */
  db: R;
  /** Milliseconds since the Unix epoch. */
  now: number;
  /** `id`, `createdAt` and `updatedAt` of a new row. */
  newRow(): { id: string; createdAt: number; updatedAt: number };
  randomBytes(size: number): Uint8Array;
  seal: Seal;
  privateWebhooks: boolean;
  events: EventTable;
}

/** A call inside a write. */
export type WriteCall = Call<Tx> & Work;

/** The call of an operation that reads. */
export function callOf<R extends Reader>(
  { deps, events, seal, privateWebhooks }: Services,
  caller: Caller | undefined,
  db: R,
  time: () => number | undefined = () => undefined,
): Call<R> {
  return {
    get principal() {
      return principalOf(caller);
    },
    db,
    seal,
    privateWebhooks,
    events,
    now: deps.now(time()),
    randomBytes: deps.randomBytes,
    newRow: () => newRow(deps, time()),
  };
}

/** The principal of a caller. Throws an Error where nobody was authenticated. */
function principalOf(caller: Caller | undefined): Principal {
  if (!caller) throw new Error('an open operation has no principal');
  return caller.principal;
}
