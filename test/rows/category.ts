import { anInsert, toOne } from '../support/randomWrites.ts';
import type { Fields } from '../support/records.ts';
import type { Rule } from '../support/rules.ts';
import { allIn } from '../support/shown.ts';
import type { Noun } from './row.ts';

const category: Fields = { serverId: 'id', name: 'text', position: 'count', creatorId: 'id' };

const rule: Rule = { creator: true, flags: ['canEditChannel', 'canEditServer'] };

export const categories: Noun = {
  name: 'category',
  group: 'Categories',
  limit: 60,
  events: ['created', 'updated', 'deleted'],
  make: (scene) => scene.category(),
  all: allIn('categories'),

  reads: [
    {
      name: 'categoriesByServer',
      path: '/servers/:serverId/categories',
      answer: category,
      sight: 'server',
      ready: async (scene) => ({ id: (await scene.category()).serverId }),
      listings: [
        {
          order: 'position',
          open: async (scene) => ({
            path: `/servers/${scene.server.id}/categories`,
            add: async (position) => (await scene.category({ position })).id,
            take: (id) => scene.remove(`/categories/${id}`),
          }),
        },
      ],
    },
  ],

  writes: [
    {
      name: 'categoryInsert',
      method: 'POST',
      path: '/categories',
      answer: category,
      rule,
      ready: async ({ world }) => ({ body: { name: world.unique('category') } }),
      fields: { name: 'name!', serverId: 'reference', position: 'whole' },
      events: [
        {
          what: 'a category',
          write: async ({ world }) => ({
            body: { name: world.unique('category') },
            home: (made) => [['category.created', made]],
          }),
        },
      ],
      random: [anInsert(2, ({ unique }) => ({ name: unique('category') }))],
    },
    {
      name: 'categoryUpdate',
      method: 'PATCH',
      path: '/categories/:id',
      answer: category,
      rule,
      ready: async (scene) => ({ id: (await scene.category()).id }),
      sample: () => ({ position: 7 }),
      fields: { name: 'name', position: 'whole' },
      events: [
        {
          what: 'a category',
          write: async ({ home }) => ({
            id: (await home.category()).id,
            body: { name: 'Renamed' },
            home: (made) => [['category.updated', made]],
          }),
        },
      ],
      random: [toOne(2, 'category', ({ unique }) => ({ name: unique('category') }))],
    },
    {
      name: 'categoryDelete',
      method: 'DELETE',
      path: '/categories/:id',
      answer: category,
      rule,
      ready: async (scene) => ({ id: (await scene.category()).id }),
      events: [
        {
          what: 'a category without channels',
          write: async ({ home }) => ({
            id: (await home.category()).id,
            home: (gone) => [['category.deleted', gone]],
          }),
        },
        {
          what: 'a category with a channel',
          write: async ({ home }) => {
            const { id } = await home.category();
            const channel = await home.channel({ categoryId: id });
            return {
              id,
              home: (gone) => [
                ['category.deleted', gone],
                ['channel.updated', { id: channel.id, categoryId: null }],
              ],
            };
          },
        },
      ],
      random: [toOne(1, 'category')],
    },
  ],
};
