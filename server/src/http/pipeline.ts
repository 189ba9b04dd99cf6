import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Target } from '../access/predicates.ts';
import { authorize } from '../access/rules.ts';
import { requireVisible } from '../access/visibility.ts';
import type { Tx } from '../db/contract.ts';
import { invalid } from '../errors.ts';
import { type EventType, eventTypes, type LiveEventType } from '../feed/events.ts';
import type { LiveNews } from '../feed/indicators.ts';
import { appendEvent } from '../feed/log.ts';
import { isId } from '../lib/deps.ts';
import { admit } from './admit.ts';
import { inspectText } from './body.ts';
import { scopeOf } from './cursor.ts';
import type { Endpoint, Page, WriteCall } from './endpoint.ts';
import { followHandler } from './follow.ts';
import { idempotencyKey, keepAnswer, keptAnswer, repeatable } from './idempotency.ts';
import { ignoredParameters } from './ignored.ts';
import type { Observe } from './metrics.ts';
import { routeSchema } from './schemas.ts';
import { callOf, type Services } from './services.ts';

export const API_PREFIX = '/api/v1';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/**
 * The steps that every request takes, in the order of decisions, part 1: authenticate, limit, validate, load,
 * authorize, run, answer. Fastify parses and validates the body between the second and the third.
 */
export function mount(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  services: Services,
  observe: Observe,
): void {
  app.decorateRequest('principal');
  for (const endpoint of endpoints) {
    const ignored = ignoredParameters(endpoint);
    app.route({
      method: endpoint.method,
      url: API_PREFIX + endpoint.path,
      schema: routeSchema(endpoint),
      onRequest: (request, reply) => admit(services, endpoint.kind, request, reply),
      preValidation(request, reply, done) {
        const names = ignored(request.query, request.body);
        if (names) reply.header('ignored-parameters', names);
        done();
      },
      onResponse: observe(endpoint.method, API_PREFIX + endpoint.path),
      handler: handlerOf(endpoint, services),
    });
  }
}

function handlerOf({ list, read, write }: Endpoint, services: Services): Handler {
  if (!read) return writeHandler(write, services);
  return list === 'feed' ? followHandler(read, services) : readHandler(read, services);
}

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] as string;

function readHandler(row: NonNullable<Endpoint['read']>, services: Services): Handler {
  const { cursors, db } = services;
  const filters = Object.keys(row.query?.properties ?? {});
  return async (request, reply) => {
    const query = request.query as Record<string, unknown> & { limit: number };
    for (const name in query) if (typeof query[name] === 'string') inspectText(query[name], name);
    const path = pathOf(request);
    const scope = row.list ? scopeOf(path, query, filters) : '';
    const after =
      row.list && query.cursor !== undefined ? cursors.decode(scope, query.cursor as string) : undefined;
    const input = { params: request.params, query, body: undefined, after };

    const call = callOf(services, request.principal, db.read);
    const target = Promise.resolve(row.target(call, input));
    const running = isFound(request.params) ? row.run(call, input, target) : target;
    running.catch(() => {});
    requireVisible(call.principal, row.visible, await target);
    const result = await running;

    if (!row.list) return { ok: true, data: result };
    const page = result as Page;
    const nextCursor = page.next && cursors.encode(scope, page.next);
    if (nextCursor) reply.header('link', linkTo(path, query, nextCursor));
    if ('json' in page) return sendJson(reply, page.json, nextCursor);
    if ('of' in page) return { ok: true, data: { ...page.of, nextCursor }, nextCursor };
    return { ok: true, data: page.records, nextCursor };
  };
}

/** False if the path names what cannot be there: then `target` says so, and nothing is read beside it. */
const isFound = (params: unknown): boolean => Object.values(params as Record<string, string>).every(isId);

function linkTo(path: string, query: Record<string, unknown>, cursor: string): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (name !== 'cursor') parameters.append(name, String(value));
  parameters.append('cursor', cursor);
  return `<${path}?${parameters}>; rel="next"`;
}

const OPENING = Buffer.from('{"ok":true,"data":[');

function sendJson(reply: FastifyReply, json: Uint8Array, nextCursor: string | null): Buffer {
  reply.header('content-type', 'application/json; charset=utf-8');
  return Buffer.concat([OPENING, json, Buffer.from(`],"nextCursor":${JSON.stringify(nextCursor)}}`)]);
}

export function writeHandler(row: Endpoint['write'], services: Services): Handler {
  if (!row) throw new Error('an endpoint reads or writes');
  const { authenticator, db, deps, feed, seal } = services;
  const event = eventOf(row);
  const live = liveEventOf(row);
  return async (request, reply) => {
    const { params, body } = request as {
      params: Record<string, string>;
      body: Record<string, unknown> | undefined;
    };
    if (params.id !== undefined && body?.id !== undefined && body.id !== params.id) {
      throw invalid('id', 'must equal the id in the path');
    }
    const key = row.method === 'POST' ? idempotencyKey(request.headers['idempotency-key']) : undefined;
    const input = { params, query: request.query, body: body ?? {}, after: undefined };
    row.check?.(input, deps.now());
    const once = key
      ? repeatable(
          request.principal,
          { method: row.method, path: pathOf(request), key, body },
          row.confidential ? seal : undefined,
        )
      : undefined;

    /** The servers whose logs it makes longer, and what is of the moment: told once it is durable. */
    const longer = new Set<string>();
    let news: LiveNews | undefined;
    const work = async (tx: Tx, turn: Turn) => {
      const principal = await authenticator.current(request.principal, tx);
      const emitted: Emitted[] = [];
      const call: WriteCall = {
        ...callOf(services, principal, tx, tx.time),
        async emit(event) {
          emitted.push(event);
        },
      };
      const looking = once && keptAnswer(tx, once, call.now);
      // Beside the look-up: on a database server both are one round trip.
      const finding = row.target(call, input);
      finding.catch(() => {});
      const kept = await looking;
      if (kept !== undefined) {
        reply
          .header('idempotency-replayed', 'true')
          .header('content-type', 'application/json; charset=utf-8');
        return kept;
      }
      const target = await finding;
      authorize(principal, row.resource, row.verb, target);
      requireTurn(turn, target);
      const result = await row.run(call, input, target);
      // What the request is about comes first, then what it takes with it.
      if (event) emitted.unshift(event(result, target.serverId));
      for (const one of emitted) {
        longer.add(one.serverId);
        const at = deps.now(tx.time());
        await appendEvent(tx, { channelId: null, ...one, actorId: principal.userId, at });
      }
      if (live) news = { ...live(result, target.serverId), actorId: principal.userId, at: call.now };
      const answer = { ok: true, data: result };
      if (!once) return answer;
      const text = reply.getSerializationFunction('200')?.(answer) as string;
      await keepAnswer(tx, once, text, call.now);
      reply.header('content-type', 'application/json; charset=utf-8');
      return text;
    };
    const write = (turn: Turn): Promise<unknown> =>
      db
        .write((tx) => work(tx, turn), turn.serverId, turn.alsoIn)
        .catch((error) => {
          if (error instanceof Elsewhere) return write(error.turn);
          throw error;
        });
    const answer = await write({ serverId: request.principal.serverId, alsoIn: [] });
    if (longer.size > 0) feed.wake(longer);
    if (news) feed.tell(news);
    return answer;
  };
}

/** The server that a write takes its turn in, and others whose logs it appends to. */
interface Turn {
  serverId: string;
  alsoIn: readonly string[];
}

/** The write is about another server than the key's, or about others too, and is to take its turn among the writes there. */
class Elsewhere extends Error {
  readonly turn: Turn;
  constructor(turn: Turn) {
    super('another server');
    this.turn = turn;
  }
}

function requireTurn(turn: Turn, { serverId, alsoIn = [] }: Target): void {
  if (serverId === turn.serverId && alsoIn.every((other) => turn.alsoIn.includes(other))) return;
  throw new Elsewhere({ serverId, alsoIn });
}

const pastTense = { insert: 'created', update: 'updated', delete: 'deleted' } as const;

type Emitted = Parameters<WriteCall['emit']>[0];

/** The event that a row declares, made from its result. */
function eventOf({ resource, verb, event }: NonNullable<Endpoint['write']>) {
  if (event === false || event === 'live') return undefined;
  const type = `${resource}.${pastTense[verb as keyof typeof pastTense]}` as EventType;
  if (!(type in eventTypes)) throw new Error(`there is no event ${type}`);
  return (result: { id: string; serverId?: string; channelId?: string }, serverId: string): Emitted => ({
    type,
    serverId: result.serverId ?? serverId,
    channelId: resource === 'channel' ? result.id : (result.channelId ?? null),
    data: event ? event(result) : result,
  });
}

/** What a row tells of the moment, made from its result. */
function liveEventOf({ resource, verb, event }: NonNullable<Endpoint['write']>) {
  if (event !== 'live') return undefined;
  const type = `${resource}.${pastTense[verb as keyof typeof pastTense]}` as LiveEventType;
  return (data: LiveNews['data'], serverId: string) => ({
    type,
    serverId,
    channelId: data.channelId,
    data,
  });
}
