import Type from 'typebox';
import { insert, q, remove } from '../db/statements.ts';
import type { RowOf } from '../db/tables.ts';
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
      return { ...toInstall(found), app: toApp(await load(db, 'app', found.appId)) };
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
    async target(call, { body }) {
      const serverId = await serverIdOf(call, body.serverId);
      return { serverId, app: await load(call.db, 'app', body.appId) };
    },
    run: (call, { body }, { serverId, app }) => addInstall(call, serverId, app, body.config ?? null),
  }),

  write({
    operation: 'appInstallDelete',
    method: 'DELETE',
    path: '/app-installs/:id',
    resource: 'appInstall',
    verb: 'delete',
    summary: 'Remove an app from the server',
    answer: appInstall,
    target: ({ db }, { params }) => load(db, 'appInstall', params.id),
    async run(call, _input, found) {
      await call.db.run(remove('appInstall', { id: found.id }));
      await countInstall(call, await load(call.db, 'app', found.appId), -1);
      return toInstall(found);
    },
  }),
];

/** Installs an app. Throws FORBIDDEN for another server's own app, `UniqueViolation` for one that is installed. */
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
  await countInstall(call, app, 1);
  return toInstall(row);
}

/** From its submission on, an app's `installCount` follows its installs, those in other servers too. */
async function countInstall({ db, emit, now }: WriteCall, app: RowOf<'app'>, change: 1 | -1): Promise<void> {
  if (app.submittedAt === null) return;
  // Counted by the database: writes of other servers may count at the same time.
  await db.run(
    q
      .updateTable('app')
      .set((eb) => ({ installCount: eb('installCount', '+', change), updatedAt: touched(app, now) }))
      .where('id', '=', app.id),
  );
  await emit({ type: 'app.updated', serverId: app.serverId, data: toApp(await load(db, 'app', app.id)) });
}
