import type { Caller } from '../access/authenticator.ts';
import type { Principal } from '../access/principal.ts';
import type { Reader, Tx } from '../db/contract.ts';
import type { EventTable } from '../feed/eventKind.ts';
import { newRow } from '../lib/deps.ts';
import type { Seal } from '../lib/seal.ts';
import type { Services } from './services.ts';
import { type Told, type Work, workIn } from './work.ts';

/** The surroundings of an operation's functions: who asks, the data, and the outside world. */
export interface Call<R extends Reader = Reader> {
  /** Throws an Error in an open operation, which has none. */
  principal: Principal;
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

type Given = Pick<Services, 'deps' | 'events' | 'seal' | 'privateWebhooks' | 'consequences'>;

/** The call of an operation that reads. */
export function callOf(given: Given, caller: Caller | undefined, db: Reader): Call {
  const { deps, events, seal, privateWebhooks } = given;
  const call: Omit<Call, 'principal'> = {
    db,
    seal,
    privateWebhooks,
    events,
    now: deps.now(),
    randomBytes: deps.randomBytes,
    newRow: () => newRow(deps),
  };
  return withPrincipal(caller, call as Call);
}

/** The call of an operation inside a write, whose events come to those that are `told`. */
export function writeCallOf(given: Given, caller: Caller | undefined, tx: Tx, told: Told): WriteCall {
  const call = workIn(tx, given, caller?.principal.userId ?? null, told) as WriteCall;
  call.seal = given.seal;
  call.privateWebhooks = given.privateWebhooks;
  call.events = given.events;
  return withPrincipal(caller, call);
}

/** Gives the principal to a call; one that throws where nobody was authenticated. */
function withPrincipal<C extends Call>(caller: Caller | undefined, call: C): C {
  if (caller) {
    call.principal = caller.principal;
    return call;
  }
  return Object.defineProperty(call, 'principal', {
    get: () => {
      throw new Error('an open operation has no principal');
    },
  });
}
