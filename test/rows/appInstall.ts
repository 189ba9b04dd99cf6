import { anInsert, idOf, isSubmitted, one, toOne } from '../support/randomWrites.ts';
import { type Fields, whole } from '../support/records.ts';
import type { Rule } from '../support/rules.ts';
import { allIn } from '../support/shown.ts';
import { app } from './app.ts';
import type { Noun } from './row.ts';

const appInstall: Fields = { serverId: 'id', appId: 'id', creatorId: 'id', config: 'object?' };
const shownInstall: Fields = { ...appInstall, app: whole(app) };

const rule: Rule = { flags: ['canEditApp'] };

export const appInstalls: Noun = {
  name: 'appInstall',
  group: 'App Installs',
  limit: 60,
  events: ['created', 'updated', 'deleted'],
  make: (scene) => scene.install(),
  all: allIn('app-installs'),
  /**
   * Updating an app that belongs to another server appends events only to that server's log, so the copy in an install
   * can be outdated.
   */
  visible: (row, { server }) => (row.app.serverId === server.id ? row : { ...row, app: row.app.id }),

  reads: [
    {
      name: 'appInstallsByServer',
      path: '/servers/:serverId/app-installs',
      answer: shownInstall,
      sight: 'canViewData',
      ready: async (scene) => ({ id: (await scene.install()).serverId }),
      listings: [
        {
          order: 'oldest',
          open: async (scene) => ({
            path: `/servers/${scene.server.id}/app-installs`,
            add: async () => (await scene.install()).id,
            take: (id) => scene.remove(`/app-installs/${id}`),
          }),
        },
      ],
    },
    {
      name: 'appInstallById',
      path: '/app-installs/:appInstallId',
      answer: shownInstall,
      sight: 'canViewData',
      ready: async (scene) => ({ id: (await scene.install()).id }),
    },
  ],

  writes: [
    {
      name: 'appInstallInsert',
      method: 'POST',
      path: '/app-installs',
      answer: appInstall,
      rule,
      once: true,
      ready: async (scene) => ({ body: { appId: (await scene.app()).id } }),
      sample: () => ({ config: { city: 'Oslo' } }),
      fields: { appId: 'reference!', serverId: 'reference', config: 'object?' },
      events: [
        {
          what: "the server's own app",
          write: async ({ home }) => ({
            body: { appId: (await home.app()).id, config: { city: 'Oslo' } },
            home: (made) => [['appInstall.created', { ...made, app: { id: made.appId } }]],
          }),
        },
        {
          what: "the server's own app in the registry",
          async write({ home }) {
            const { id } = await home.submitted();
            return {
              body: { appId: id },
              home: (made) => [
                ['appInstall.created', { ...made, app: { id, installCount: 1 } }],
                ['app.updated', { id, installCount: 1 }],
              ],
            };
          },
        },
      ],
      random: [
        anInsert(3, (place, choice) => ({
          appId: idOf(
            choice.flag() ? one(place, choice, 'app') : one(place.other(), choice, 'app', isSubmitted),
          ),
          config: { number: choice.number(100) },
        })),
      ],
    },
    {
      name: 'appInstallDelete',
      method: 'DELETE',
      path: '/app-installs/:id',
      answer: appInstall,
      rule,
      ready: async (scene) => ({ id: (await scene.install()).id }),
      events: [
        {
          what: "the server's own app",
          async write({ home }) {
            const install = await home.install();
            return {
              id: install.id,
              home: () => [['appInstall.deleted', { ...install, app: { id: install.appId } }]],
            };
          },
        },
        {
          what: "another server's app, installed in both servers",
          async write({ home, away }) {
            const { id } = await away.submitted();
            const there = await away.install(id);
            const install = await home.install(id);
            return {
              id: install.id,
              home: () => [['appInstall.deleted', { ...install, app: { id, installCount: 2 } }]],
              away: () => [
                ['app.updated', { id, installCount: 1 }],
                ['appInstall.updated', { id: there.id, app: { id, installCount: 1 } }],
              ],
            };
          },
        },
      ],
      random: [toOne(2, 'appInstall')],
    },
  ],
};
