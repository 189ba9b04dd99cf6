import { dataOf } from '../support/expect.ts';
import { toOne } from '../support/randomWrites.ts';
import type { Fields } from '../support/records.ts';
import type { Rule } from '../support/rules.ts';
import type { Scene } from '../support/scene.ts';
import { allIn } from '../support/shown.ts';
import type { Json } from '../support/world.ts';
import type { Noun } from './row.ts';

const fields: Fields = {
  serverId: 'id',
  channelId: 'id?',
  creatorId: 'id',
  state: 'text',
  messages: 'count',
  bytes: 'count?',
};

const rule: Rule = { flags: ['canAdmin'] };

/** Fewer than the ten exports that a server can have. */
const ENOUGH = 8;

async function make(scene: Scene): Promise<Json> {
  const path = `/servers/${scene.server.id}/exports`;
  const known: Json[] = dataOf(await scene.admin.get(path));
  if (known.length >= ENOUGH) await scene.remove(`/exports/${known.at(-1)?.id}`);
  return scene.make(path, {});
}

export const exported: Noun = {
  name: 'export',
  group: 'Exports',
  limit: 5,
  events: ['created', 'updated', 'deleted'],
  make,
  all: allIn('exports'),

  reads: [
    {
      name: 'exportsByServer',
      path: '/servers/:serverId/exports',
      answer: fields,
      sight: 'canAdmin',
      ready: async (scene) => ({ id: (await make(scene)).serverId }),
      listings: [
        {
          order: 'newest',
          most: ENOUGH,
          open: async (scene) => ({
            path: `/servers/${scene.server.id}/exports`,
            add: async () => (await make(scene)).id,
            take: (id) => scene.remove(`/exports/${id}`),
          }),
        },
      ],
    },
    {
      name: 'exportGet',
      path: '/exports/:id',
      answer: fields,
      sight: 'canAdmin',
      ready: async (scene) => ({ id: (await make(scene)).id }),
    },
  ],

  writes: [
    {
      name: 'exportInsert',
      method: 'POST',
      path: '/servers/:serverId/exports',
      answer: fields,
      rule,
      ready: async (scene) => {
        await scene.remove(`/exports/${(await make(scene)).id}`);
        return { id: scene.server.id, body: {} };
      },
      fields: { channelId: 'reference?' },
      events: [
        {
          what: 'an export',
          write: async ({ home }) => ({
            id: home.server.id,
            body: {},
            home: (made) => [['export.created', made]],
          }),
        },
      ],
      random: [{ weight: 1, write: ({ server }) => ({ id: server.id, body: {} }) }],
    },
    {
      name: 'exportDelete',
      method: 'DELETE',
      path: '/exports/:id',
      answer: fields,
      rule,
      ready: async (scene) => ({ id: (await make(scene)).id }),
      events: [
        {
          what: 'an export',
          write: async ({ home }) => ({
            id: (await make(home)).id,
            home: (gone) => [['export.deleted', gone]],
          }),
        },
      ],
      random: [toOne(1, 'export')],
    },
  ],
};
