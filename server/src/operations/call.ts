import type { Caller } from '../access/authenticator.ts';
import type { Principal } from '../access/principal.ts';
import type { Reader, Tx } from '../db/contract.ts';
import type { EventTable } from '../feed/eventKind.ts';
import { newRow } from '../lib/deps.ts';
import type { Seal } from '../lib/seal.ts';
import type { Services } from './services.ts';
import type { Work } from './work.ts';

/** The first argument of an operation's functions: the caller, the data, and the sources of time and randomness. */
export interface Call<R extends Reader = Reader> {
  /** Throws an Error in an open operation, which has no principal. */
  readonly principal: Principal;
  /** Reads committed data; in a write, the transaction. */
  db: R;
  /** Milliseconds since the Unix epoch. */
  now: number;
  /** `id`, `createdAt` and `updatedAt` of a new row. */
  newRow(): { id: string; createdAt: number; updatedAt: number };
  randomBytes(size: number): Uint8Array;
  seal: Seal;
  /** True if webhooks may send to private, loopback and link-local addresses. */
  privateWebhooks: boolean;
  events: EventTable;
}

/** The call of a write. */
export type WriteCall = Call<Tx> & Work;

/** A call with the data of `db`. `time` is the time of a transaction, once that is known. */
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

function principalOf(caller: Caller | undefined): Principal {
  if (!caller) throw new Error('an open operation has no principal');
  return caller.principal;
}
