import { toOne } from '../support/randomWrites.ts';
import type { Fields } from '../support/records.ts';
import type { Rule } from '../support/rules.ts';
import type { Scene } from '../support/scene.ts';
import { allIn } from '../support/shown.ts';
import type { Json } from '../support/world.ts';
import type { Noun } from './row.ts';

const wordRule: Fields = { serverId: 'id', pattern: 'text', action: 'text', creatorId: 'id' };

const rule: Rule = { flags: ['canModerate'] };

const make = (scene: Scene, fields: object = {}): Promise<Json> =>
  scene.make(`/servers/${scene.server.id}/word-rules`, {
    pattern: 'cheap watch*',
    action: 'hold',
    ...fields,
  });

export const wordRules: Noun = {
  name: 'wordRule',
  group: 'Word Rules',
  limit: 60,
  events: ['created', 'updated', 'deleted'],
  make,
  all: allIn('word-rules'),

  reads: [
    {
      name: 'wordRulesByServer',
      path: '/servers/:serverId/word-rules',
      answer: wordRule,
      sight: 'canModerate',
      ready: async (scene) => ({ id: (await make(scene)).serverId }),
      listings: [
        {
          order: 'oldest',
          open: async (scene) => ({
            path: `/servers/${scene.server.id}/word-rules`,
            add: async () => (await make(scene)).id,
            take: (id) => scene.remove(`/word-rules/${id}`),
          }),
        },
      ],
    },
  ],

  writes: [
    {
      name: 'wordRuleInsert',
      method: 'POST',
      path: '/servers/:serverId/word-rules',
      answer: wordRule,
      rule,
      ready: async ({ server }) => ({ id: server.id, body: { pattern: 'zzyzx', action: 'refuse' } }),
      fields: { pattern: 'pattern!', action: 'wordAction!' },
      events: [
        {
          what: 'a word rule',
          write: async ({ home }) => ({
            id: home.server.id,
            body: { pattern: 'zzyzx', action: 'hold' },
            home: (made) => [['wordRule.created', made]],
          }),
        },
      ],
      random: [
        {
          weight: 1,
          write: ({ server, unique }) => ({
            id: server.id,
            body: { pattern: unique('zzyzx'), action: 'hold' },
          }),
        },
      ],
    },
    {
      name: 'wordRuleUpdate',
      method: 'PATCH',
      path: '/word-rules/:id',
      answer: wordRule,
      rule,
      ready: async (scene) => ({ id: (await make(scene)).id }),
      sample: () => ({ pattern: 'zzyzx' }),
      fields: { pattern: 'pattern', action: 'wordAction' },
      events: [
        {
          what: 'a word rule',
          write: async ({ home }) => ({
            id: (await make(home)).id,
            body: { action: 'refuse' },
            home: (made) => [['wordRule.updated', made]],
          }),
        },
      ],
      random: [toOne(1, 'wordRule', ({ unique }) => ({ pattern: unique('zzyzx') }))],
    },
    {
      name: 'wordRuleDelete',
      method: 'DELETE',
      path: '/word-rules/:id',
      answer: wordRule,
      rule,
      ready: async (scene) => ({ id: (await make(scene)).id }),
      events: [
        {
          what: 'a word rule',
          write: async ({ home }) => ({
            id: (await make(home)).id,
            home: (gone) => [['wordRule.deleted', gone]],
          }),
        },
      ],
      random: [toOne(1, 'wordRule')],
    },
  ],
};
