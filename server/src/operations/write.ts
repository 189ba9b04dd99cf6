import type { TObject, TSchema } from 'typebox';
import type { Caller } from '../access/authenticator.ts';
import type { Target } from '../access/predicates.ts';
import { authorize, type Resource, type Verb } from '../access/rules.ts';
import type { Tx } from '../db/contract.ts';
import { invalid } from '../errors.ts';
import type { EventTable } from '../feed/eventKind.ts';
import { textOf } from './answer.ts';
import { type WriteCall, writeCallOf } from './call.ts';
import { keepAnswer, keptAnswer, type Repeatable, repeatable } from './idempotency.ts';
import {
  type Answer,
  type BodyOf,
  type Common,
  type Described,
  type Input,
  pathOf,
  type RawInput,
} from './operation.ts';
import type { Services } from './services.ts';
import { Elsewhere, requireTurn, type Turn } from './turn.ts';
import { Told, type Work } from './work.ts';

/** The surroundings of a check of the request's shape. */
interface Checking {
  /** Milliseconds since the Unix epoch. */
  now: number;
  events: EventTable;
}

export interface WriteRow<
  Path extends string,
  B extends TObject | undefined,
  T extends Target,
  R extends { id: string },
> extends Common<Path> {
  method: 'POST' | 'PATCH' | 'DELETE';
  resource: Resource;
  verb: Verb;
  body?: B;
  /** Bodies for the documents, by what they do; made from the fields' examples if left out. */
  examples?: Record<string, BodyOf<B>>;
  /** True if it may answer ALREADY_EXISTS. */
  conflict?: boolean;
  /** The schema of the record that is answered; fields that it lacks are left out. */
  answer: TSchema;
  /** True if the answer holds something that must never lie in the database unencrypted. */
  confidential?: boolean;
  /** Checks the request's shape beyond its schema. Throws INVALID_REQUEST. */
  check?(input: Input<Path, unknown, BodyOf<B>>, checking: Checking): void;
  /** Finds the target of the write. Throws NOT_FOUND. */
  target(call: WriteCall, input: Input<Path, unknown, BodyOf<B>>): Promise<T>;
  /** Makes the change and emits its events, in the transaction, once the rule has allowed it. */
  run(call: WriteCall, input: Input<Path, unknown, BodyOf<B>>, target: T): Promise<R>;
}

/** An operation that changes something and answers with a record. */
export interface WriteOperation extends Described {
  does: 'write';
  examples?: Record<string, object>;
  conflict?: boolean;
  answer: TSchema;
  // biome-ignore lint/suspicious/noExplicitAny: rows of all types stand in one list
  row: WriteRow<any, any, any, any>;
}

/** Makes a row that changes something. */
export function write<
  Path extends string,
  B extends TObject | undefined,
  T extends Target,
  R extends { id: string },
>(row: WriteRow<Path, B, T, R>): WriteOperation {
  const { operation, method, path, resource, summary, description, open, body, conflict, answer } = row;
  const described = { operation, method, path, summary, description, open, body, conflict, answer };
  const examples = row.examples as Record<string, object> | undefined;
  return { does: 'write', tag: resource, kind: resource, ...described, examples, row };
}

/** How a write is performed. */
export interface Performing {
  /** The `Idempotency-Key`, of POSTs alone. */
  key?: string | undefined;
  /** A write that is under way: this one becomes part of its transaction, with its events. */
  within?: Work | undefined;
}

/** Load (404), authorize (403) and run (409) a write whose input is valid, in one transaction. */
export async function performWrite(
  services: Services,
  operation: WriteOperation,
  caller: Caller | undefined,
  { params = {}, query = {}, body }: RawInput,
  { key, within }: Performing,
): Promise<Answer> {
  const { row, method } = operation;
  const { db, deps, events, feed, seal } = services;
  const given = body as Record<string, unknown> | undefined;
  if (params.id !== undefined && given?.id !== undefined && given.id !== params.id) {
    throw invalid('id', 'must equal the id in the path');
  }
  const input = { params, query, body: given ?? {}, after: undefined };
  row.check?.(input, { now: deps.now(), events });
  const once =
    key === undefined || !caller
      ? undefined
      : repeatable(
          caller,
          { method, path: pathOf(operation, params), key, body },
          row.confidential ? seal : undefined,
        );
  if (within) return work(services, operation, caller, input, within.db, within.told, undefined, once);

  const write = (turn: Turn): Promise<[Answer, Told]> =>
    db
      .write(
        async (tx) => {
          const told = new Told();
          const answer = await work(services, operation, caller, input, tx, told, turn, once);
          await told.append(tx, deps);
          return [answer, told] as [Answer, Told];
        },
        turn.serverId,
        turn.alsoIn,
      )
      .catch((error) => {
        if (error instanceof Elsewhere) return write(error.turn);
        throw error;
      });
  const [answer, told] = await write({ serverId: caller?.principal.serverId ?? undefined, alsoIn: [] });
  const { logs, live } = told;
  if (logs.size > 0) feed.wake(logs);
  for (const news of live) feed.tell(news);
  return answer;
}

/** The steps of a write inside a transaction. Without a `turn` it is part of a write that has one. */
async function work(
  services: Services,
  { row, open, answer: schema }: WriteOperation,
  caller: Caller | undefined,
  input: Input<string, unknown, Record<string, unknown>>,
  tx: Tx,
  told: Told,
  turn: Turn | undefined,
  once: Repeatable | undefined,
): Promise<Answer> {
  const current = caller && (await services.authenticator.current(caller, tx));
  const call = writeCallOf(services, current, tx, told);
  const looking = once && keptAnswer(tx, once, call.now);
  // Beside the look-up: on a database server both are one round trip.
  const finding = row.target(call, input);
  finding.catch(() => {});
  const kept = await looking;
  if (kept !== undefined) return { text: kept, isReplayed: true };
  const target = await finding;
  if (!open) authorize(call.principal, row.resource, row.verb, target);
  if (turn) requireTurn(turn, target);
  const data = await row.run(call, input, target);
  if (!once) return { data };
  const text = textOf(schema, undefined, { data }) as string;
  await keepAnswer(tx, once, text, call.now);
  return { data, text };
}
