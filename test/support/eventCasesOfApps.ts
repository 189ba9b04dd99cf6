import type { EventCase, EventStage } from './eventStage.ts';
import type { Scene } from './scene.ts';
import type { Json } from './world.ts';

/** An app in the registry, which its own server has installed. */
async function installedAt(scene: Scene): Promise<{ app: Json; install: Json }> {
  const app = await scene.submitted();
  return { app, install: await scene.install(app.id) };
}

const secretOf = (scene: Scene, appId: string): Promise<Json> =>
  scene.secret({ kind: 'appSecret', appId, value: 'what nobody may know' });

/** What the server of an app is told when it is installed elsewhere, or removed there. */
const counted =
  ({ app, install }: { app: Json; install: Json }, installCount: number) =>
  (): [string, Json][] => [
    ['app.updated', { id: app.id, installCount }],
    ['appInstall.updated', { id: install.id, app: { id: app.id, installCount } }],
  ];

export const appCases: readonly EventCase[] = [
  {
    operation: 'appInsert',
    what: 'an app',
    write: async () => ({
      method: 'POST',
      path: '/apps',
      body: { name: 'Weather', meta: ['tools'] },
      home: (made) => [['app.created', { ...made, name: 'Weather', meta: ['tools'], installCount: null }]],
    }),
  },
  {
    operation: 'appUpdate',
    what: 'an app that its server has installed',
    async write({ home }) {
      const { id } = await home.app();
      const install = await home.install(id);
      return {
        method: 'PATCH',
        path: `/apps/${id}`,
        body: { version: '2' },
        home: (made) => [
          ['app.updated', { ...made, version: '2' }],
          ['appInstall.updated', { ...install, app: { ...made, version: '2' } }],
        ],
      };
    },
  },
  {
    operation: 'appUpdate',
    what: 'an app of another server, which a platform admin vouches for',
    async write({ home, away, world }) {
      const { app, install } = await installedAt(away);
      const admin = await world.user({ platformAdmin: true });
      return {
        method: 'PATCH',
        path: `/apps/${app.id}`,
        body: { verified: true },
        as: await world.client(home.server, ['canAdmin'], admin),
        away: () => [
          ['app.updated', { id: app.id, verified: true }],
          ['appInstall.updated', { id: install.id, app: { id: app.id, verified: true } }],
        ],
      };
    },
  },
  {
    operation: 'appDelete',
    what: 'an app that two servers have installed, with secrets in both',
    async write({ home, away }) {
      const { app, install } = await installedAt(home);
      const other = await away.install(app.id);
      const secrets = [await secretOf(home, app.id), await secretOf(away, app.id)];
      const shown = { id: app.id, installCount: 2 };
      return {
        method: 'DELETE',
        path: `/apps/${app.id}`,
        home: () => [
          ['app.deleted', shown],
          ['appInstall.deleted', { ...install, app: shown }],
          ['secret.deleted', secrets[0]],
        ],
        away: () => [
          ['appInstall.deleted', { ...other, app: shown }],
          ['secret.deleted', secrets[1]],
        ],
      };
    },
  },
  {
    operation: 'appSubmit',
    what: 'an app that its server has installed',
    async write({ home }) {
      const { id } = await home.app();
      const install = await home.install(id);
      return {
        method: 'POST',
        path: '/apps/submit',
        body: { id },
        home: () => [
          ['app.updated', { id, verified: false, installCount: 1 }],
          ['appInstall.updated', { ...install, app: { id, verified: false, installCount: 1 } }],
        ],
      };
    },
  },
  {
    operation: 'appInstallFromRegistry',
    what: 'an app of another server, which has installed it too',
    async write({ away }) {
      const there = await installedAt(away);
      const { id } = there.app;
      return {
        method: 'POST',
        path: '/apps/install-from-registry',
        body: { id },
        home: () => [['appInstall.created', { appId: id, app: { id, installCount: 2 } }]],
        away: counted(there, 2),
      };
    },
  },
  {
    operation: 'appInstallInsert',
    what: "an app of the server's own",
    write: async ({ home }) => ({
      method: 'POST',
      path: '/app-installs',
      body: { appId: (await home.app()).id, config: { city: 'Oslo' } },
      home: (made) => [['appInstall.created', { ...made, app: { id: made.appId } }]],
    }),
  },
  {
    operation: 'appInstallInsert',
    what: "an app of the server's own in the registry",
    async write({ home }) {
      const { id } = await home.submitted();
      return {
        method: 'POST',
        path: '/app-installs',
        body: { appId: id },
        home: (made) => [
          ['appInstall.created', { ...made, app: { id, installCount: 1 } }],
          ['app.updated', { id, installCount: 1 }],
        ],
      };
    },
  },
  {
    operation: 'appInstallDelete',
    what: "an app of the server's own",
    async write({ home }: EventStage) {
      const install = await home.install();
      return {
        method: 'DELETE',
        path: `/app-installs/${install.id}`,
        home: () => [['appInstall.deleted', { ...install, app: { id: install.appId } }]],
      };
    },
  },
  {
    operation: 'appInstallDelete',
    what: 'an app of another server, which has installed it too',
    async write({ home, away }) {
      const there = await installedAt(away);
      const install = await home.install(there.app.id);
      return {
        method: 'DELETE',
        path: `/app-installs/${install.id}`,
        home: () => [['appInstall.deleted', { ...install, app: { id: install.appId, installCount: 2 } }]],
        away: counted(there, 1),
      };
    },
  },
];
