import { anInsert, idOf, isSubmitted, one, toOne } from '../support/randomWrites.ts';
import type { Fields } from '../support/records.ts';
import type { Rule } from '../support/rules.ts';
import { those } from '../support/shown.ts';
import { appDeletes } from './cascades.ts';
import type { Noun } from './row.ts';

export const app: Fields = {
  serverId: 'id',
  threadId: 'id?',
  type: 'text?',
  meta: 'json',
  installCount: 'number?',
  description: 'text?',
  name: 'text?',
  version: 'text?',
  image: 'text?',
  category: 'text?',
  publisherName: 'text?',
  npmPackage: 'text?',
  verified: 'flag?',
};

/** Writes respond with only `id`, `createdAt` and `updatedAt`. */
const written: Fields = {};

const fields = {
  serverId: 'reference',
  threadId: 'reference?',
  installCount: 'number?',
  description: 'longText?',
  name: 'name?',
  version: 'text?',
  image: 'url?',
  category: 'text?',
  publisherName: 'text?',
  npmPackage: 'text?',
  verified: 'flag?',
} as const;

const rule: Rule = { creator: true, flags: ['canEditChannel', 'canEditServer'] };

export const apps: Noun = {
  name: 'app',
  group: 'Apps',
  limit: 60,
  events: ['created', 'updated', 'deleted'],
  make: (scene) => scene.submitted(),
  all: ({ watchers: [admin], known }) => those(admin, '/apps/', known.app),

  reads: [
    {
      name: 'appById',
      path: '/apps/:appId',
      answer: app,
      sight: 'server',
      ready: async (scene) => ({ id: (await scene.app()).id }),
    },
    {
      name: 'appsByServer',
      path: '/servers/:serverId/apps',
      answer: app,
      sight: 'server',
      ready: async (scene) => {
        await scene.app();
        return { id: scene.server.id };
      },
      listings: [
        {
          order: 'oldest',
          open: async (scene) => ({
            path: `/servers/${scene.server.id}/apps`,
            add: async () => (await scene.app()).id,
            take: (id) => scene.remove(`/apps/${id}`),
          }),
        },
      ],
    },
  ],

  writes: [
    {
      name: 'appInsert',
      method: 'POST',
      path: '/apps',
      answer: written,
      rule,
      ready: async () => ({ body: {} }),
      sample: () => ({ name: 'Weather', meta: ['tools'] }),
      fields: { ...fields, meta: 'strings' },
      events: [
        {
          what: 'an app',
          write: async () => ({
            body: { name: 'Weather', meta: ['tools'] },
            home: (made) => [
              ['app.created', { ...made, name: 'Weather', meta: ['tools'], installCount: null }],
            ],
          }),
        },
      ],
      random: [anInsert(2, ({ unique }) => ({ name: unique('app') }))],
    },
    {
      name: 'appUpdate',
      method: 'PATCH',
      path: '/apps/:id',
      answer: written,
      rule,
      ready: async (scene) => ({ id: (await scene.app()).id }),
      sample: () => ({ name: 'Weather' }),
      fields: { ...fields, type: 'text?', meta: 'anything?' },
      events: [
        {
          what: 'an app installed in its own server',
          async write({ home }) {
            const { id } = await home.app();
            const install = await home.install(id);
            return {
              id,
              body: { version: '2' },
              home: (made) => [
                ['app.updated', { ...made, version: '2' }],
                ['appInstall.updated', { ...install, app: { ...made, version: '2' } }],
              ],
            };
          },
        },
        {
          what: 'an app of another server, verified by a platform admin',
          async write({ home, away, world }) {
            const { id } = await away.submitted();
            const install = await away.install(id);
            const admin = await world.user({ platformAdmin: true });
            return {
              id,
              body: { verified: true },
              as: await world.client(home.server, ['canAdmin'], admin),
              away: () => [
                ['app.updated', { id, verified: true }],
                ['appInstall.updated', { id: install.id, app: { id, verified: true } }],
              ],
            };
          },
        },
      ],
      random: [toOne(3, 'app', ({ unique }) => ({ version: unique('v') }))],
    },
    {
      name: 'appDelete',
      method: 'DELETE',
      path: '/apps/:id',
      answer: written,
      rule,
      ready: async (scene) => ({ id: (await scene.app()).id }),
      events: appDeletes,
      random: [toOne(2, 'app')],
    },
    {
      name: 'appInstallFromRegistry',
      method: 'POST',
      changes: true,
      path: '/apps/install-from-registry',
      answer: written,
      rule: { ...rule, inOwnServer: true },
      once: true,
      ready: async (scene) => ({ body: { id: (await scene.submitted()).id } }),
      fields: { id: 'reference!' },
      events: [
        {
          what: "another server's app, installed in both servers",
          async write({ away }) {
            const { id } = await away.submitted();
            const install = await away.install(id);
            return {
              body: { id },
              home: () => [['appInstall.created', { appId: id, app: { id, installCount: 2 } }]],
              away: () => [
                ['app.updated', { id, installCount: 2 }],
                ['appInstall.updated', { id: install.id, app: { id, installCount: 2 } }],
              ],
            };
          },
        },
      ],
      random: [
        anInsert(3, (place, choice) => ({
          id: idOf(one(choice.flag() ? place : place.other(), choice, 'app', isSubmitted)),
        })),
      ],
    },
    {
      name: 'appSubmit',
      method: 'POST',
      changes: true,
      path: '/apps/submit',
      answer: written,
      rule,
      ready: async (scene) => ({ body: { id: (await scene.app()).id } }),
      fields: { id: 'reference!' },
      events: [
        {
          what: 'an app installed in its own server',
          async write({ home }) {
            const { id } = await home.app();
            const install = await home.install(id);
            return {
              body: { id },
              home: () => [
                ['app.updated', { id, verified: false, installCount: 1 }],
                ['appInstall.updated', { ...install, app: { id, verified: false, installCount: 1 } }],
              ],
            };
          },
        },
      ],
      random: [anInsert(2, (place, choice) => ({ id: idOf(one(place, choice, 'app')) }))],
    },
  ],
};
