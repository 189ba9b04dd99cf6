import type { TObject, TSchema } from 'typebox';
import type { Caller } from '../access/authenticator.ts';
import type { Target } from '../access/predicates.ts';
import { authorize, type Resource, type Verb } from '../access/rules.ts';
import { requireNoTimeOut } from '../access/timeOut.ts';
import type { Tx } from '../db/contract.ts';
import { type Call, callOf, requireProven, type WriteCall, writeCallOf } from './call.ts';
import { endFormerSession } from './former.ts';
import type { From } from './from.ts';
import {
  type Answer,
  type BodyOf,
  type Common,
  commonOf,
  type Described,
  type Input,
  methods,
  type RawInput,
} from './operation.ts';
import type { Services } from './services.ts';
import { validInput } from './validation.ts';
import { type PendingEvents, transact, transactOnAccount } from './work.ts';

/** The first argument that an act's functions receive. */
export interface ActCall extends Call, From {
  /**
   * Makes a change in one transaction, and authenticates the caller again in it. The transaction is
   * serialized with other writes to the log of `serverId` and to the accounts of `userIds`.
   */
  write<T>(task: (call: WriteCall) => Promise<T>, serverId?: string, userIds?: readonly string[]): Promise<T>;
  /** Like `write`, but the transaction is serialized with other writes to a person's account. */
  writeOnAccount<T>(userId: string, task: (call: WriteCall) => Promise<T>): Promise<T>;
}

/**
 * The result of an act. `token` is a new session's token, or null if the session was revoked. Similarly,
 * `binding` sets or clears the cookie of a sign-in with a provider.
 */
export interface Acted<R> {
  data: R;
  token?: string | null;
  binding?: string | null;
}

export interface ActRow<
  Path extends string,
  B extends TObject | undefined,
  R extends object,
  T extends Target = Target,
> extends Common<Path> {
  /** The HTTP method. Defaults to the method for `verb`. */
  method?: 'POST' | 'PATCH' | 'DELETE';
  resource: Resource;
  verb: Verb;
  body?: B;
  examples?: Record<string, BodyOf<B>>;
  /** The schema of the response's record. Fields that are not in it are omitted from the response. */
  answer: TSchema;
  /** Whether the person must have authenticated recently. */
  proven?: true;
  /** Whether the act may be rejected with ALREADY_EXISTS. */
  conflict?: true;
  /**
   * Whether the act works even if the disk is nearly full, as deletions and acts on the resource `platform`
   * do. Set for signing in, confirming an identity and opening event streams, which people need to free
   * space.
   */
  onFullDisk?: true;
  /** Checks input in ways that the schema cannot express. Throws INVALID_REQUEST. */
  check?(input: Input<Path, unknown, BodyOf<B>>): void;
  /** Finds the target to which the rule applies. Omitted for an open operation. Throws NOT_FOUND. */
  target?(call: ActCall, input: Input<Path, unknown, BodyOf<B>>): Promise<T> | T;
  /**
   * Runs the act. Unlike a write, it may wait for work outside the transaction, such as hashing a password.
   * `target` is what `target` returned.
   */
  run(call: ActCall, input: Input<Path, unknown, BodyOf<B>>, target: T): Promise<Acted<R>>;
}

/** An operation that changes something, may wait for work outside its transaction, and returns a record. */
export interface ActOperation extends Described {
  does: 'act';
  /** Whether the operation may be rejected with ALREADY_EXISTS. */
  conflict: boolean;
  examples?: Record<string, object>;
  answer: TSchema;
  // biome-ignore lint/suspicious/noExplicitAny: rows of all types are in one list
  row: ActRow<any, any, any, any>;
}

/** Creates an act from its row. */
export function act<
  Path extends string,
  B extends TObject | undefined,
  R extends object,
  T extends Target = Target,
>(row: ActRow<Path, B, R, T>): ActOperation {
  const { resource, method = methods[row.verb], body, answer } = row;
  const described = { ...commonOf(row), tag: resource, kind: resource, method, body, answer };
  const examples = row.examples as Record<string, object> | undefined;
  return { does: 'act', ...described, conflict: row.conflict === true, examples, row };
}

/**
 * Runs an act, after finding its target (or throwing NOT_FOUND) and authorizing the caller (or throwing
 * FORBIDDEN). Throws ApiError, or UniqueViolation if a record already exists.
 */
export async function performAct(
  services: Services,
  operation: ActOperation,
  caller: Caller | undefined,
  raw: RawInput,
  from: From,
): Promise<Answer & Omit<Acted<object>, 'data'>> {
  const { row } = operation;
  const { params, query, body } = validInput(operation, raw);
  const input = { params, query, body: body ?? {}, after: undefined };
  row.check?.(input);
  const within =
    <T>(task: (call: WriteCall) => Promise<T>) =>
    async (tx: Tx, pending: PendingEvents): Promise<T> => {
      const current = caller && (await services.authenticator.within(tx, caller));
      return task(writeCallOf(services, current, tx, pending, from));
    };
  const isAlways = row.verb === 'delete' || row.resource === 'platform' || row.onFullDisk === true;
  const requireRoom = () => (isAlways ? undefined : services.disks.data.requireRoom());
  const call: ActCall = Object.assign(callOf(services, caller, services.db.read), from, {
    async write<T>(
      task: (call: WriteCall) => Promise<T>,
      serverId?: string,
      userIds?: readonly string[],
    ): Promise<T> {
      await requireRoom();
      return transact(services, within(task), serverId, userIds);
    },
    async writeOnAccount<T>(userId: string, task: (call: WriteCall) => Promise<T>): Promise<T> {
      await requireRoom();
      return transactOnAccount(services, userId, within(task));
    },
  });
  // An open operation has no target.
  let target: Target = { serverId: null };
  if (!row.open && caller) {
    target = (await row.target?.(call, input)) ?? { serverId: null, ownerId: caller.principal.userId };
    authorize(caller.principal, row.resource, row.verb, target);
    requireNoTimeOut(caller.principal, row, target, call.now);
    if (row.proven) requireProven(call);
  }
  const acted = await row.run(call, input, target);
  if (typeof acted.token === 'string' && from.former !== undefined)
    await endFormerSession(services, from.former);
  return acted;
}
