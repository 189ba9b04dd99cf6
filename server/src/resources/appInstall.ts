import { conditions, requireCondition } from '../access/conditions.ts';
import type { NewRow, RowOf } from '../db/schema.ts';
import { find, insert, q, remove, update } from '../db/statements.ts';
import { notFound } from '../errors.ts';
import { eventsOf } from '../feed/eventKind.ts';
import { Type } from '../lib/schema.ts';
import type { Call, WriteCall } from '../operations/call.ts';
import type { Existing } from '../operations/existing.ts';
import { body, id, json, optional, record, reference } from '../operations/fields.ts';
import { read } from '../operations/read.ts';
import type { Work } from '../operations/work.ts';
import { write } from '../operations/write.ts';
import { app, appEvents, registryBody, toApp, written } from './app/appRecord.ts';
import {
  aheadInServer,
  load,
  loadPart,
  ownServerId,
  recordOf,
  serverIdOf,
  serverTarget,
  touched,
} from './common.ts';
import { bytesIn, pageBySize, rowsById } from './lists.ts';

const config = json("The app's settings in this server", { units: 'metric' });
const fields = { serverId: id(), appId: id(), creatorId: id(), config };

const appInstall = record('AppInstall', fields);
const toInstall = recordOf(appInstall);
const shownInstall = record('ShownAppInstall', { ...fields, app: Type.Object(app.properties) });

export const appInstallEvents = eventsOf(
  'appInstall',
  { data: shownInstall, audience: 'data' },
  {
    created: 'An app was installed',
    updated: 'An installed app that the server owns was updated',
    deleted: 'An app was removed from the server, or deleted',
  },
);

/** The approximate size of a record in bytes, without its short fields. */
const bytes = bytesIn(['appInstall.config', 'app.meta', 'app.description', 'app.image']);

export const appInstallOperations = [
  read({
    operation: 'appInstallsByServer',
    path: '/servers/:serverId/app-installs',
    tag: 'appInstall',
    summary: "List a server's app installs",
    visible: 'data',
    answer: shownInstall,
    list: 'many',
    target: serverTarget,
    ahead: aheadInServer,
    async run({ db }, input) {
      // Queries the sizes first, because a hundred large installs take 50 MB.
      const sizes = q
        .selectFrom('appInstall')
        .innerJoin('app', 'app.id', 'appInstall.appId')
        .select(['appInstall.id', 'appInstall.appId', bytes.as('bytes')])
        .where('appInstall.serverId', '=', input.params.serverId);
      const page = await db.all(rowsById(sizes, input, 'asc', 'appInstall.id'));
      const { records: listed, next } = pageBySize(page, input.query.limit);
      if (listed.length === 0) return { records: [], next };
      const [installs, apps] = await Promise.all([
        db.all(
          q
            .selectFrom('appInstall')
            .selectAll()
            .where(
              'id',
              'in',
              listed.map(({ id }) => id),
            ),
        ),
        db.all(
          q
            .selectFrom('app')
            .selectAll()
            .where('id', 'in', [...new Set(listed.map(({ appId }) => appId))]),
        ),
      ]);
      const appOf = new Map(apps.map((found) => [found.id, found]));
      const installOf = new Map(installs.map((found) => [found.id, found]));
      // The install or its app may have been deleted since the size was read.
      const records = listed.flatMap(({ id, appId }) => {
        const [install, app] = [installOf.get(id), appOf.get(appId)];
        return install && app ? [shown(install, app)] : [];
      });
      return { records, next };
    },
  }),

  read({
    operation: 'appInstallById',
    path: '/app-installs/:appInstallId',
    tag: 'appInstall',
    summary: 'Get an app install',
    visible: 'data',
    answer: shownInstall,
    target: ({ db }, { params }) => loadPart(db, 'appInstall', params.appInstallId, 'serverId'),
    async run({ db }, { params }) {
      const found = await load(db, 'appInstall', params.appInstallId);
      return shown(found, await load(db, 'app', found.appId));
    },
  }),

  write({
    operation: 'appInstallInsert',
    path: '/app-installs',
    resource: 'appInstall',
    verb: 'insert',
    summary: 'Install an app',
    description: "The app can be one of the server's own, or one from the registry.",
    body: body({ appId: reference(), serverId: optional(reference()), config: optional(config) }),
    answer: appInstall,
    existing: async (call, { body }) =>
      existingInstall(call, await serverIdOf(call, body.serverId), body.appId),
    async target(call, { body }) {
      const serverId = await serverIdOf(call, body.serverId);
      return installTarget(serverId, await load(call.db, 'app', body.appId));
    },
    async run(call, { body }, { serverId, app }) {
      return (await addInstall(call, serverId, app, body.config ?? null)).install;
    },
  }),

  write({
    operation: 'appInstallDelete',
    path: '/app-installs/:id',
    resource: 'appInstall',
    verb: 'delete',
    summary: 'Uninstall an app',
    answer: appInstall,
    async target({ db }, { params }) {
      const install = await load(db, 'appInstall', params.id);
      const app = await load(db, 'app', install.appId);
      return { ...installTarget(install.serverId, app), install };
    },
    async run(call, _input, { serverId, install, app }) {
      await call.db.run(remove('appInstall', { id: install.id }));
      await call.emit(appInstallEvents.deleted, shown(install, app));
      if (app.submittedAt !== null) await emitCount(call, await countInstall(call, app, -1), serverId);
      return shown(install, app);
    },
  }),

  write({
    operation: 'appInstallFromRegistry',
    path: '/apps/install-from-registry',
    resource: 'app',
    verb: 'insert',
    summary: 'Install an app from the registry',
    body: registryBody,
    answer: written,
    makes: () => ['appInstalls'],
    existing: (call, { body }) => existingInstall(call, ownServerId(call.principal), body.id),
    async target({ db, principal }, { body }) {
      const found = await load(db, 'app', body.id);
      if (found.submittedAt === null) throw notFound('app in the registry');
      return installTarget(ownServerId(principal), found);
    },
    async run(call, _input, { serverId, app: found }) {
      return toApp((await addInstall(call, serverId, found, null)).app);
    },
  }),
];

async function existingInstall({ db }: Call, serverId: string, appId: string): Promise<Existing | undefined> {
  const found = await db.first(find('appInstall', { serverId, appId }));
  return found && { id: found.id, serverId, visible: 'data' };
}

/**
 * Returns the target of an install or uninstall. For a registry app, the write also changes the count in the
 * app's server.
 */
const installTarget = (serverId: string, app: RowOf<'app'>) => ({
  serverId,
  app,
  alsoIn: app.submittedAt !== null && app.serverId !== serverId ? [app.serverId] : [],
});

const shown = (install: NewRow<'appInstall'>, app: RowOf<'app'>) => ({
  ...toInstall(install),
  app: toApp(app),
});

/**
 * Installs an app. Throws FORBIDDEN for an app of another server that is not in the registry, and
 * UniqueViolation if the app is already installed.
 */
async function addInstall(call: WriteCall, serverId: string, app: RowOf<'app'>, config: unknown) {
  const isSubmitted = app.submittedAt !== null;
  requireCondition(call.principal, conditions.installable, { isSubmitted, isOwn: app.serverId === serverId });
  const row = { ...call.newRow(), serverId, appId: app.id, creatorId: call.principal.userId, config };
  await call.db.run(insert('appInstall', row));
  const counted = isSubmitted ? await countInstall(call, app, 1) : app;
  const install = shown(row, counted);
  await call.emit(appInstallEvents.created, install);
  if (isSubmitted) await emitCount(call, counted, serverId);
  return { install, app: counted };
}

/** Updates the `installCount` of a submitted app. It counts installs across all servers. */
async function countInstall(
  { db, now }: WriteCall,
  app: RowOf<'app'>,
  change: 1 | -1,
): Promise<RowOf<'app'>> {
  // The count is current, because this write is also serialized with writes in the app's server (`alsoIn`).
  const { installCount } = app;
  const set = {
    installCount: installCount === null ? null : installCount + change,
    updatedAt: touched(app, now),
  };
  await db.run(update('app', app.id, set));
  return { ...app, ...set };
}

/**
 * Emits `app.updated` with the new count. A change in the app's own server already emits an install event.
 */
const emitCount = (call: WriteCall, app: RowOf<'app'>, changedIn: string): Promise<void> =>
  call.emit(appEvents.updated, toApp(app), { known: { isInstallEmitted: app.serverId === changedIn } });

/**
 * Emits `appInstall.updated` for the install in the app's own server, because install records include the
 * app. Installs in other servers get no event, because there can be too many. Clients in those servers see
 * the change on their next read.
 */
export async function emitOwnInstall(
  { db, emit }: Work,
  app: ReturnType<typeof toApp>,
  known?: { isInstallEmitted: boolean },
): Promise<void> {
  if (known?.isInstallEmitted) return;
  const own = await db.first(find('appInstall', { serverId: app.serverId, appId: app.id }));
  if (own) await emit(appInstallEvents.updated, { ...toInstall(own), app });
}

/** Emits `appInstall.deleted` for every install of an app that is being deleted. */
export async function emitInstallsDeleted({ db, emit }: Work, app: ReturnType<typeof toApp>): Promise<void> {
  const installs = q.selectFrom('appInstall').selectAll().where('appId', '=', app.id).orderBy('id');
  for (const install of await db.all(installs)) {
    await emit(appInstallEvents.deleted, { ...toInstall(install), app });
  }
}

/** Removes installs when their app's server is deleted. Skips those already removed. */
export async function removeInstalls({ db, emit }: Work, ids: readonly string[]): Promise<void> {
  const installs = await db.all(q.selectFrom('appInstall').selectAll().where('id', 'in', ids).orderBy('id'));
  for (const install of installs) {
    const app = await db.first(find('app', { id: install.appId }));
    if (app) await emit(appInstallEvents.deleted, shown(install, app));
    await db.run(remove('appInstall', { id: install.id }));
  }
}
