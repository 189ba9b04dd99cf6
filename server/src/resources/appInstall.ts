import Type from 'typebox';
import type { Reader } from '../db/contract.ts';
import type { NewRow, RowOf } from '../db/schema.ts';
import { find, insert, q, remove, update } from '../db/statements.ts';
import { ApiError } from '../errors.ts';
import { read, type WriteCall, write } from '../http/endpoint.ts';
import { body, id, json, optional, record, reference } from '../http/fields.ts';
import { app, toApp } from './app/record.ts';
import { load, pageById, recordOf, serverIdOf, touched } from './common.ts';

const config = json("The app's settings in this server", { units: 'metric' });
const fields = { serverId: id(), appId: id(), creatorId: id(), config };

const appInstall = record('AppInstall', fields);
const toInstall = recordOf(appInstall);
const shownInstall = record('ShownAppInstall', { ...fields, app: Type.Object(app.properties) });

export const appInstallEndpoints = [
  read({
    operation: 'appInstallsByServer',
    path: '/servers/:serverId/app-installs',
    tag: 'appInstall',
    summary: 'App installs of a server',
    visible: 'data',
    answer: shownInstall,
    list: 'many',
    target: async ({ db }, { params }) => ({ serverId: (await load(db, 'server', params.serverId)).id }),
    async run({ db }, { params, query, after }) {
      let rows = q
        .selectFrom('appInstall')
        .selectAll()
        .where('serverId', '=', params.serverId)
        .orderBy('id')
        .limit(query.limit + 1);
      if (after) rows = rows.where('id', '>', after[0] as string);
      const page = await db.all(rows);
      const appIds = [...new Set(page.map(({ appId }) => appId))];
      const apps =
        appIds.length === 0 ? [] : await db.all(q.selectFrom('app').selectAll().where('id', 'in', appIds));
      const appOf = new Map(apps.map((found) => [found.id, toApp(found)]));
      return pageById(page, query.limit, (install) => ({
        ...toInstall(install),
        app: appOf.get(install.appId),
      }));
    },
  }),

  read({
    operation: 'appInstallById',
    path: '/app-installs/:appInstallId',
    tag: 'appInstall',
    summary: 'App install details',
    visible: 'data',
    answer: shownInstall,
    target: ({ db }, { params }) => load(db, 'appInstall', params.appInstallId),
    async run({ db }, _input, target) {
      const found = await target;
      return shown(found, await load(db, 'app', found.appId));
    },
  }),

  write({
    operation: 'appInstallInsert',
    conflict: true,
    method: 'POST',
    path: '/app-installs',
    resource: 'appInstall',
    verb: 'insert',
    summary: 'Install an app',
    description: "One of the server's own, or one in the registry.",
    body: body({ appId: reference(), serverId: optional(reference()), config: optional(config) }),
    answer: appInstall,
    event: false,
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
    method: 'DELETE',
    path: '/app-installs/:id',
    resource: 'appInstall',
    verb: 'delete',
    summary: 'Remove an app from the server',
    answer: appInstall,
    async target({ db }, { params }) {
      const install = await load(db, 'appInstall', params.id);
      const app = await load(db, 'app', install.appId);
      return { ...installTarget(install.serverId, app), install };
    },
    async run(call, _input, { serverId, install, app }) {
      await call.db.run(remove('appInstall', { id: install.id }));
      if (app.submittedAt !== null) await tellApp(call, await countInstall(call, app, -1), serverId);
      return shown(install, app);
    },
  }),
];

/** An install to be made or removed. An app of the registry counts its installs, which is an event of its own server. */
export const installTarget = (serverId: string, app: RowOf<'app'>) => ({
  serverId,
  app,
  alsoIn: app.submittedAt !== null && app.serverId !== serverId ? [app.serverId] : [],
});

const shown = (install: NewRow<'appInstall'>, app: RowOf<'app'>) => ({
  ...toInstall(install),
  app: toApp(app),
});

/**
 * Installs an app and tells of it. Throws FORBIDDEN for another server's own app, `UniqueViolation` for one that is
 * installed.
 */
export async function addInstall(call: WriteCall, serverId: string, app: RowOf<'app'>, config: unknown) {
  if (app.submittedAt === null && app.serverId !== serverId) {
    const details = {
      rule: "appInstall: an app of the server's own, or one in the registry",
      have: call.principal.ownFlags,
      need: [],
    };
    throw new ApiError('FORBIDDEN', "this app is another server's own", details);
  }
  const row = { ...call.newRow(), serverId, appId: app.id, creatorId: call.principal.userId, config };
  await call.db.run(insert('appInstall', row));
  const counted = app.submittedAt === null ? app : await countInstall(call, app, 1);
  const install = shown(row, counted);
  await call.emit({ type: 'appInstall.created', serverId, data: install });
  if (counted !== app) await tellApp(call, counted, serverId);
  return { install, app: counted };
}

/** From its submission on, an app's `installCount` follows its installs, those in other servers too. */
async function countInstall(
  { db, now }: WriteCall,
  app: RowOf<'app'>,
  change: 1 | -1,
): Promise<RowOf<'app'>> {
  // Nobody else counts meanwhile: the write has its turn in the app's server too.
  const { installCount } = app;
  const set = {
    installCount: installCount === null ? null : installCount + change,
    updatedAt: touched(app, now),
  };
  await db.run(update('app', app.id, set));
  return { ...app, ...set };
}

/** Tells the app's server of its new installs. */
async function tellApp(call: WriteCall, app: RowOf<'app'>, installedIn: string): Promise<void> {
  await call.emit({ type: 'app.updated', serverId: app.serverId, data: toApp(app) });
  if (app.serverId !== installedIn) await tellOwnInstall(call, app);
}

/**
 * Tells the app's server of a change of the app that its own install shows. In other servers an install shows the app as it was
 * when it was installed, until it is read again: they can be too many to be told each time.
 */
export async function tellOwnInstall(
  { db, emit }: Pick<WriteCall, 'db' | 'emit'>,
  app: RowOf<'app'>,
): Promise<void> {
  const { id: appId, serverId } = app;
  const own = await db.first(find('appInstall', { serverId, appId }));
  if (own) await emit({ type: 'appInstall.updated', serverId, data: shown(own, app) });
}

/** The installs of an app wherever it is, as they are shown. */
export async function installsOf(db: Reader, app: RowOf<'app'>) {
  const rows = q.selectFrom('appInstall').selectAll().where('appId', '=', app.id).orderBy('id');
  return (await db.all(rows)).map((install) => shown(install, app));
}
