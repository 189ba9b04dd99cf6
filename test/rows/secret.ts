import { anInsert, idOf, one, own, plainRole, toOne } from '../support/randomWrites.ts';
import type { Fields } from '../support/records.ts';
import type { Rule } from '../support/rules.ts';
import type { Scene } from '../support/scene.ts';
import type { Json } from '../support/world.ts';
import type { Noun } from './row.ts';

export const secret: Fields = {
  serverId: 'id',
  kind: 'text',
  name: 'text',
  roleId: 'id?',
  userId: 'id?',
  appId: 'id?',
  creatorId: 'id?',
  preview: 'text',
  expiresAt: 'time?',
  lastUsedAt: 'time?',
};

const rule: Rule = { creator: true, flags: ['canEditApp'] };

/** A key for a role without flags, because callers can only grant and revoke flags that they have. */
const make = async (scene: Scene): Promise<Json> => scene.secret({ roleId: (await scene.role()).id });

export const secrets: Noun = {
  name: 'secret',
  group: 'Secrets',
  limit: 60,
  events: ['created', 'updated', 'deleted'],
  make: (scene) => scene.secret(),
  reads: [
    {
      name: 'secretsByServer',
      path: '/servers/:serverId/secrets',
      answer: secret,
      sight: 'secrets',
      ready: async (scene) => ({ id: (await scene.secret()).serverId }),
      listings: [
        {
          order: 'newest',
          mixed: true,
          open: async (scene) => ({
            path: `/servers/${scene.server.id}/secrets`,
            add: async () => (await make(scene)).id,
            take: (id) => scene.remove(`/secrets/${id}`),
          }),
        },
      ],
    },
  ],
  writes: [
    {
      name: 'secretInsert',
      method: 'POST',
      path: '/secrets',
      answer: { ...secret, key: 'text' },
      rule,
      ready: async () => ({ body: { kind: 'apiKey', name: 'Deploy bot' } }),
      sample: async (scene) => ({ roleId: (await scene.role()).id }),
      fields: {
        kind: 'kind!',
        name: 'name!',
        serverId: 'reference',
        roleId: 'reference',
        userId: 'reference',
        expiresAt: 'time',
      },
      variants: [
        {
          as: 'of an app',
          ready: async (scene) => ({
            body: {
              kind: 'appSecret',
              name: 'Token',
              appId: (await scene.app()).id,
              value: 'correct horse battery staple',
            },
          }),
          fields: {
            kind: 'kind!',
            name: 'name!',
            appId: 'reference!',
            hosts: 'hosts',
            value: 'text!',
            serverId: 'reference',
          },
        },
      ],
      events: [
        {
          what: 'a key that acts as its minter',
          write: async ({ home }) => ({
            body: { kind: 'apiKey', name: 'Key', userId: home.owner.id },
            home: ({ key: _key, ...made }) => [['secret.created', { ...made, key: undefined }]],
          }),
        },
        {
          what: 'a key with its own agent',
          async write(stage) {
            const { home, world } = stage;
            const memberCount = await stage.memberCount();
            const { id: roleId } = await world.defaultRole(home.server);
            return {
              body: { kind: 'apiKey', name: 'Bot' },
              home: ({ id, userId }) => [
                [
                  'serverMember.created',
                  { userId, user: { id: userId, name: 'Bot', type: 'agent' }, roleIds: [roleId] },
                ],
                ['userRole.created', { userId, roleId }],
                ['server.updated', { id: home.server.id, memberCount: memberCount + 1 }],
                ['secret.created', { id, userId, roleId, key: undefined }],
              ],
            };
          },
        },
      ],
      random: [
        anInsert(3, (place, choice) => ({
          kind: 'apiKey',
          name: 'Bot',
          roleId: idOf(one(place, choice, 'role', plainRole(place))),
        })),
        anInsert(2, (place, choice) => ({
          kind: 'appSecret',
          name: 'Token',
          appId: idOf(one(place, choice, 'appInstall')?.app),
          value: 'what nobody may know',
        })),
      ],
    },
    {
      name: 'secretRotate',
      method: 'POST',
      changes: true,
      path: '/secrets/:id/rotate',
      answer: { ...secret, key: 'text', earlier: { preview: 'text', until: 'time' } },
      rule,
      ready: async (scene) => ({ id: (await make(scene)).id, body: {} }),
      sample: () => ({ overlap: 3600 }),
      fields: { overlap: 'seconds', expiresAt: 'time?' },
      events: [
        {
          what: 'a key',
          async write({ home }) {
            const { id, roleId, userId, preview } = await home.secret();
            return {
              id,
              body: {},
              home: ({ earlier }) => [
                ['secret.updated', { id, roleId, userId, key: undefined, earlier: { ...earlier, preview } }],
              ],
            };
          },
        },
      ],
      random: [
        toOne(
          2,
          'secret',
          (_place, choice) => ({ overlap: choice.flag() ? 3600 : 0 }),
          (place) =>
            ({ id, kind }) =>
              kind === 'apiKey' && !own(place).has(id),
        ),
      ],
    },
    {
      name: 'secretDelete',
      method: 'DELETE',
      path: '/secrets/:id',
      answer: secret,
      rule,
      ready: async (scene) => ({ id: (await make(scene)).id }),
      events: [
        {
          what: 'a key',
          async write({ home }) {
            const { key: _key, ...secret } = await home.secret();
            return { id: secret.id, home: () => [['secret.deleted', secret]] };
          },
        },
      ],
      random: [
        toOne(
          3,
          'secret',
          undefined,
          (place) =>
            ({ id }) =>
              !own(place).has(id),
        ),
      ],
    },
  ],
};
