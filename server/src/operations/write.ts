import type { TObject, TSchema } from 'typebox';
import { type Caller, tenantOf } from '../access/authenticator.ts';
import { requireWithinGrant } from '../access/granted.ts';
import type { Target } from '../access/predicates.ts';
import { authorize, type Resource, type Verb } from '../access/rules.ts';
import { requireNoTimeOut } from '../access/timeOut.ts';
import { type Tx, UniqueViolation } from '../db/contract.ts';
import { invalid } from '../errors.ts';
import { type ContentNoun, contentNounOf, type Json, withoutContent } from '../feed/contentRefs.ts';
import type { EventTable } from '../feed/eventKind.ts';
import type { Loadable } from '../lib/late.ts';
import type { QuotaName } from '../limits/quotas.ts';
import { quotasOf, requireBytes, requireRoom } from '../limits/room.ts';
import { textOf } from './answer.ts';
import { type Call, type WriteCall, writeCallOf } from './call.ts';
import { alreadyExists, type Existing } from './existing.ts';
import { keepAnswer, keptAnswer, type Repeatable, renewed, repeatable } from './idempotency.ts';
import {
  type Answer,
  type BodyOf,
  type Common,
  commonOf,
  type Described,
  type Input,
  methods,
  pathOf,
  type RawInput,
} from './operation.ts';
import type { Services } from './services.ts';
import { type PendingEvents, step, transact, type Work } from './work.ts';

/**
 * The logs whose writes are serialized with this write: the server's log, and others that the write appends
 * to.
 */
interface Turn {
  serverId: string | undefined;
  alsoIn: readonly string[];
}

/**
 * Thrown if the write's target belongs to other logs than expected. The write is then retried with the right
 * logs.
 */
class Elsewhere extends Error {
  readonly turn: Turn;
  constructor(turn: Turn) {
    super('the target is in another server');
    this.turn = turn;
  }
}

/** Throws `Elsewhere` unless the turn includes the target's logs. */
function requireTurn(turn: Turn, { serverId: given, alsoIn = [] }: Target): void {
  const serverId = given ?? undefined;
  if (serverId === turn.serverId && alsoIn.every((other) => turn.alsoIn.includes(other))) return;
  throw new Elsewhere({ serverId, alsoIn });
}

/** The second argument that `check` receives. */
interface CheckContext {
  /** Milliseconds since the Unix epoch. */
  now: number;
  events: EventTable;
}

export interface WriteRow<
  Path extends string,
  B extends TObject | undefined,
  T extends Target,
  R extends object,
> extends Common<Path> {
  /** The HTTP method. Defaults to the method for `verb`. */
  method?: 'POST' | 'PATCH' | 'DELETE';
  resource: Resource;
  verb: Verb;
  body?: B;
  /** Example bodies for the documents, by title. By default, one is derived from the fields' examples. */
  examples?: Record<string, BodyOf<B>>;
  /**
   * Finds the existing record for an ALREADY_EXISTS error, which contains its id if the caller may read it.
   * Called after the write violated a unique index.
   */
  existing?(call: Call, input: Input<Path, unknown, BodyOf<B>>): Promise<Existing | undefined>;
  /** Set if `run` may throw ALREADY_EXISTS although the row has no `existing`. */
  conflicts?: true;
  /** The schema of the response's record. Fields that are not in it are omitted from the response. */
  answer: TSchema;
  /**
   * Whether the response contains a secret. If so, it is encrypted when it is stored for an
   * `Idempotency-Key`.
   */
  confidential?: boolean;
  /**
   * The noun of the response's record, if the record has content. Its content is not stored for an
   * `Idempotency-Key`. Defaults to the resource of an insert.
   */
  answers?: ContentNoun;
  /** Whether the write works even if the disk is nearly full, as deletions do. */
  onFullDisk?: true;
  /**
   * The row quotas that apply to the write. If omitted, an insert counts against its resource's quotas, and
   * other writes against none.
   */
  makes?(input: Input<Path, unknown, BodyOf<B>>): readonly QuotaName[];
  /** A module that only a few writes need. It is loaded before `check`. */
  needs?: Loadable<object>;
  /**
   * Loads data that cannot be read in a transaction; `run` gets it as `call.found`. Called before the caller
   * is authorized.
   */
  before?(
    services: Services,
    caller: Caller | undefined,
    input: Input<Path, unknown, BodyOf<B>>,
  ): Promise<object>;
  /** Checks input in ways that the schema cannot express. Throws INVALID_REQUEST. */
  check?(input: Input<Path, unknown, BodyOf<B>>, context: CheckContext): void;
  /** Finds the target of the write. Throws NOT_FOUND. */
  target(call: WriteCall, input: Input<Path, unknown, BodyOf<B>>): Promise<T>;
  /** Makes the change and emits its events, in the transaction. Called once the rule has allowed it. */
  run(call: WriteCall, input: Input<Path, unknown, BodyOf<B>>, target: T): Promise<R>;
}

/** An operation that changes something and returns a record. */
export interface WriteOperation extends Described {
  does: 'write';
  examples?: Record<string, object>;
  /** Whether the operation may be rejected with ALREADY_EXISTS. */
  conflict: boolean;
  answer: TSchema;
  // biome-ignore lint/suspicious/noExplicitAny: rows of all types are in one list
  row: WriteRow<any, any, any, any>;
}

/** Creates a write from its row. */
export function write<Path extends string, B extends TObject | undefined, T extends Target, R extends object>(
  row: WriteRow<Path, B, T, R>,
): WriteOperation {
  const { resource, method = methods[row.verb], body, answer } = row;
  const described = { ...commonOf(row), tag: resource, kind: resource, method, body, answer };
  const examples = row.examples as Record<string, object> | undefined;
  return {
    does: 'write',
    ...described,
    conflict: row.conflicts === true || row.existing !== undefined,
    examples,
    row,
  };
}

/** Options of `perform`. */
export interface Performing {
  /** The `Idempotency-Key` of a POST. */
  key?: string | undefined;
  /**
   * A running write that this write joins as a step, with its transaction and its events. If this write is
   * rejected and the caller catches the error, the step's changes are rolled back and the running write
   * continues. Await this write before you start another.
   */
  within?: Work | undefined;
  /** The result of the operation's `before`. */
  found?: object | undefined;
}

/**
 * Runs a write with valid input. In one transaction, finds its target, authorizes the caller, checks quotas
 * and makes the change. May throw INVALID_REQUEST or `DiskFull` synchronously; rejects with all other errors.
 */
export function performWrite(
  services: Services,
  operation: WriteOperation,
  caller: Caller | undefined,
  { params = {}, query = {}, body }: RawInput,
  performing: Performing,
): Promise<Answer> {
  const { row, method } = operation;
  const { key, within } = performing;
  if (row.needs && !row.needs.value) {
    const input = { params, query, body };
    return row.needs.load().then(() => performWrite(services, operation, caller, input, performing));
  }
  const { deps, events, seal } = services;
  const given = body as Record<string, unknown> | undefined;
  if (params.id !== undefined && given?.id !== undefined && given.id !== params.id) {
    throw invalid('mismatch', 'id', 'must match the id in the path');
  }
  const input = { params, query, body: given ?? {}, after: undefined };
  requireBytes(services.quotas, row.resource, input.body);
  row.check?.(input, { now: deps.now(), events });
  if (row.before && !performing.found) {
    const raw = { params, query, body };
    return row
      .before(services, caller, input)
      .then((found) => performWrite(services, operation, caller, raw, { ...performing, found }));
  }
  const once =
    key === undefined || !caller
      ? undefined
      : repeatable(
          caller,
          { method, path: pathOf(operation, params), key, body },
          row.confidential ? seal : undefined,
        );
  const { existing } = row;
  const asked = { services, operation, caller, input, once, found: performing.found };
  const find = existing && ((call: Call) => existing(call, input));
  if (within) return performStep(asked, within, find);

  const write = (turn: Turn): Promise<Answer> =>
    transact(services, (tx, pending) => work(asked, tx, pending, turn), turn.serverId, turn.alsoIn).catch(
      (error) => {
        if (error instanceof Elsewhere) return write(error.turn);
        if (!(error instanceof UniqueViolation)) throw error;
        const db = caller ? services.db.readFor(tenantOf(caller)) : services.db.read;
        return alreadyExists(services, caller, db, error, find).then((refusal) => {
          throw refusal;
        });
      },
    );
  const begin = () => write({ serverId: caller?.principal.serverId ?? undefined, alsoIn: [] });
  // Deletions are allowed even if the disk is nearly full, because they free space.
  const room = row.verb === 'delete' || row.onFullDisk ? undefined : services.disks.data.requireRoom();
  return room ? room.then(begin) : begin();
}

/** A requested write whose input is valid. */
interface Asked {
  services: Services;
  operation: WriteOperation;
  caller: Caller | undefined;
  input: Input<string, unknown, Record<string, unknown>>;
  once: Repeatable | undefined;
  found: object | undefined;
}

/** Runs a write as a step of a running write (see `Performing.within`). */
function performStep(
  asked: Asked,
  within: Work,
  find: ((call: Call) => Promise<Existing | undefined>) | undefined,
): Promise<Answer> {
  const { services, caller } = asked;
  const { db, pending } = within;
  return step(within, () => work(asked, db, pending, undefined)).catch(async (error) => {
    if (!(error instanceof UniqueViolation)) throw error;
    const known = caller && (await services.authenticator.within(db, caller));
    throw await alreadyExists(services, known, db, error, find);
  });
}

/**
 * Serializes a response for storage. The stored response references its record's content instead of copying
 * it, because the content may be edited or deleted.
 */
const withoutContentOf = (schema: TSchema, noun: ContentNoun, data: object): string =>
  textOf(schema, undefined, { data: withoutContent(noun, data as Json) }) as string;

/** Runs the steps of a write inside its transaction. `turn` is undefined inside another write. */
async function work(
  { services, operation, caller, input, once, found }: Asked,
  tx: Tx,
  pending: PendingEvents,
  turn: Turn | undefined,
): Promise<Answer> {
  const { row, open, answer: schema } = operation;
  const noun = row.answers ?? (row.verb === 'insert' ? contentNounOf(row.resource) : undefined);
  const known = caller && services.authenticator.within(tx, caller);
  const call = writeCallOf(services, known instanceof Promise ? await known : known, tx, pending);
  // These two reads start together, to share a round trip to PostgreSQL.
  const replaying = once && keptAnswer(tx, once, call.now);
  const finding = row.target(call, input);
  if (replaying) {
    finding.catch(() => {});
    const kept = await replaying;
    if (kept !== undefined && !noun) return { text: kept, isReplayed: true };
    if (kept !== undefined) {
      const data = await renewed(tx, noun as ContentNoun, JSON.parse(kept).data, call.principal.userId);
      return { text: textOf(schema, undefined, { data }) as string, isReplayed: true };
    }
  }
  const target = await finding;
  if (!open) {
    requireWithinGrant(call.principal, row.resource, row.verb);
    authorize(call.principal, row.resource, row.verb, target);
    requireNoTimeOut(call.principal, row, target, call.now);
  }
  if (turn) requireTurn(turn, target);
  const makes = row.makes ? row.makes(input) : row.verb === 'insert' ? quotasOf(row.resource) : [];
  if (makes.length > 0 && target.serverId) await requireRoom(tx, services.quotas, target.serverId, makes);
  const data = await row.run(found ? Object.assign(call, { found }) : call, input, target);
  if (!once) return { data };
  const text = textOf(schema, undefined, { data }) as string;
  await keepAnswer(tx, once, noun ? withoutContentOf(schema, noun, data) : text, call.now);
  return { data, text };
}
