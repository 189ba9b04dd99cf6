import { conditions, requireCondition } from '../../access/conditions.ts';
import type { RowOf } from '../../db/schema.ts';
import { insert, q, remove, update } from '../../db/statements.ts';
import { invalid } from '../../errors.ts';
import { Type } from '../../lib/schema.ts';
import type { Call } from '../../operations/call.ts';
import { body, nullable, optional, reference } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import type { Work } from '../../operations/work.ts';
import { write } from '../../operations/write.ts';
import { alters, load, loadPart, ownServerId, sent, serverIdOf, touched } from '../common.ts';
import { threadTarget } from '../message/load.ts';
import {
  app,
  appEvents,
  appFields,
  meta,
  appFieldNames as names,
  registryBody,
  toApp,
  type,
  written,
} from './appRecord.ts';
import { appsByServer } from './ofServer.ts';
import { registryApps } from './registry.ts';

const optionalFields = Object.fromEntries(names.map((name) => [name, optional(appFields[name])])) as {
  [K in keyof typeof appFields]: ReturnType<typeof optional<(typeof appFields)[K]>>;
};
const changes = {
  serverId: optional(reference()),
  threadId: optional(nullable(reference())),
  ...optionalFields,
};

export const appOperations = [
  read({
    operation: 'appById',
    path: '/apps/:appId',
    tag: 'app',
    summary: 'Get an app',
    description: 'Apps in the registry are public. Other apps have the visibility of their server.',
    visible: 'public',
    answer: app,
    async target({ db }, { params }) {
      const { serverId, submittedAt } = await loadPart(db, 'app', params.appId, 'serverId', 'submittedAt');
      return { serverId, open: submittedAt !== null };
    },
    run: async ({ db }, { params }) => toApp(await load(db, 'app', params.appId)),
  }),

  registryApps,

  appsByServer,

  write({
    operation: 'appInsert',
    path: '/apps',
    resource: 'app',
    verb: 'insert',
    summary: 'Create an app',
    body: body({ ...changes, meta: optional(Type.Array(Type.String(), { maxItems: 1000 })) }),
    examples: {
      Example: { name: 'Weather', description: 'Reports the weather', version: '1.2.0', meta: ['forecast'] },
    },
    answer: written,
    async target(call, { body }) {
      const serverId = await serverIdOf(call, body.serverId);
      await requireThread(call, serverId, body.threadId);
      return { serverId };
    },
    async run({ db, emit, newRow }, { body }, { serverId }) {
      const empty = Object.fromEntries(names.map((name) => [name, null])) as Pick<
        RowOf<'app'>,
        (typeof names)[number]
      >;
      const given = sent(body, 'threadId', 'meta', ...names);
      const row = {
        ...newRow(),
        threadId: null,
        type: null,
        meta: null,
        ...empty,
        ...given,
        serverId,
        submittedAt: null,
      };
      await db.run(insert('app', row));
      await emit(appEvents.created, toApp(row));
      return toApp(row);
    },
  }),

  write({
    operation: 'appUpdate',
    path: '/apps/:id',
    resource: 'app',
    verb: 'update',
    summary: 'Update an app',
    description: 'Once an app is submitted, only platform admins can change `verified` and `installCount`.',
    body: body({ id: optional(reference()), ...changes, type: optional(type), meta: optional(meta) }),
    examples: { Example: { version: '1.3.0', meta: { forecast: { days: 7 } } } },
    answer: written,
    async target(call, { params, body }) {
      const { db, principal } = call;
      const found = await load(db, 'app', params.id);
      const { serverId } = found;
      if (body.serverId !== undefined && body.serverId !== serverId) {
        await load(db, 'server', body.serverId);
        throw invalid('fixed', 'serverId', 'an app cannot move to another server');
      }
      await requireThread(call, serverId, body.threadId);
      // Platform admins may change these two fields of every server's submitted apps, but no other fields.
      const isRegistryChange =
        principal.platformAdmin && found.submittedAt !== null && only(body, 'verified', 'installCount');
      if (!isRegistryChange || serverId === principal.serverId) return { serverId, app: found };
      return { serverId: ownServerId(principal), alsoIn: [serverId], app: found };
    },
    async run(call, { body }, { app: found }) {
      if (body.verified !== undefined || body.installCount !== undefined) {
        requireCondition(call.principal, conditions.registryFields, {
          isSubmitted: found.submittedAt !== null,
        });
      }
      const fields = sent(body, 'threadId', 'type', 'meta', ...names);
      if (!alters(found, fields)) return toApp(found);
      const set = { ...fields, updatedAt: touched(found, call.now) };
      await call.db.run(update('app', found.id, set));
      const changed = toApp({ ...found, ...set });
      await call.emit(appEvents.updated, changed);
      return changed;
    },
  }),

  write({
    operation: 'appDelete',
    path: '/apps/:id',
    resource: 'app',
    verb: 'delete',
    summary: 'Delete an app and all its installs',
    answer: written,
    async target({ db }, { params }) {
      const found = await load(db, 'app', params.id);
      const [installs, secrets] = await Promise.all([
        db.all(serversWith('appInstall', found.id)),
        db.all(serversWith('secret', found.id)),
      ]);
      const { serverId } = found;
      const others = new Set([...installs, ...secrets].map((row) => row.serverId));
      others.delete(serverId);
      return { serverId, alsoIn: [...others], app: found };
    },
    async run({ db, emit }, _input, { app: found }) {
      await emit(appEvents.deleted, toApp(found));
      await db.run(remove('app', { id: found.id }));
      return toApp(found);
    },
  }),

  write({
    operation: 'appSubmit',
    method: 'POST',
    path: '/apps/submit',
    resource: 'app',
    verb: 'update',
    summary: 'Submit an app to the registry',
    description: 'Sets `verified` to false and `installCount` to the number of installs.',
    body: registryBody,
    answer: written,
    target: ({ db }, { body }) => load(db, 'app', body.id),
    async run(call, _input, found) {
      const { db, now } = call;
      const set = {
        verified: false,
        submittedAt: found.submittedAt ?? now,
        updatedAt: touched(found, now),
      };
      // Updating the app first locks its row, so that concurrent installs in other servers wait until this
      // write has counted the installs.
      await db.run(update('app', found.id, set));
      const installCount = await countInstalls(db, found.id);
      await db.run(update('app', found.id, { installCount }));
      const submitted = toApp({ ...found, ...set, installCount });
      await call.emit(appEvents.updated, submitted);
      return submitted;
    },
  }),
];

const only = (body: object, ...allowed: string[]): boolean =>
  Object.keys(body).every((name) => name === 'id' || allowed.includes(name));

const serversWith = (table: 'appInstall' | 'secret', appId: string) =>
  q.selectFrom(table).select('serverId').distinct().where('appId', '=', appId).orderBy('serverId');

/**
 * Checks an app's thread. Throws NOT_FOUND, INVALID_REQUEST, or FORBIDDEN if the caller cannot see the
 * thread.
 */
async function requireThread(
  { db, principal }: Call,
  serverId: string,
  threadId: string | null | undefined,
): Promise<void> {
  if (threadId == null) return;
  const found = await threadTarget(db, threadId);
  if (found.serverId !== serverId) throw invalid('mismatch', 'threadId', 'is a thread of another server');
  if (serverId === principal.serverId) requireCondition(principal, conditions.appThread, found);
}

async function countInstalls(db: Work['db'], appId: string): Promise<number> {
  const installs = q
    .selectFrom('appInstall')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('appId', '=', appId);
  return (await db.first(installs))?.count ?? 0;
}
