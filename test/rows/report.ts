import { dataOf } from '../support/expect.ts';
import { anInsert, idOf, one, toOne } from '../support/randomWrites.ts';
import type { Fields } from '../support/records.ts';
import { channelKinds } from '../support/rules.ts';
import type { Scene } from '../support/scene.ts';
import { allIn } from '../support/shown.ts';
import type { Json } from '../support/world.ts';
import type { Noun } from './row.ts';

const report: Fields = {
  serverId: 'id',
  channelId: 'id?',
  messageId: 'id',
  authorId: 'id',
  creatorId: 'id',
  state: 'text',
  closedAt: 'time?',
  closerId: 'id?',
};
const shownReport: Fields = {
  ...report,
  reason: 'text',
  copy: 'object?',
};

const reason = 'Insults another member';

const make = async (scene: Scene): Promise<Json> =>
  scene.make('/reports', { messageId: (await scene.message()).id, reason });

/** Reports a message as another member, because a member can only have a few open reports. */
async function another(scene: Scene): Promise<string> {
  const client = await scene.world.client(scene.server, [], await scene.world.user());
  const body = { messageId: (await scene.message()).id, reason };
  return dataOf(await client.post('/reports', body), 'a report').id;
}

export const reports: Noun = {
  name: 'report',
  group: 'Reports',
  limit: 60,
  events: ['created', 'updated', 'deleted'],
  goesWith: ['channel'],
  make,
  all: allIn('reports'),
  /** Events contain no text written by members. */
  visible: ({ reason: _reason, copy: _copy, ...rest }) => rest,

  reads: [
    {
      name: 'reportsByServer',
      path: '/servers/:serverId/reports',
      answer: shownReport,
      sight: 'canModerate',
      ready: async (scene) => ({ id: (await make(scene)).serverId }),
      filters: { state: ['open', 'resolved', 'dismissed'] },
      listings: [
        {
          order: 'newest',
          open: async (scene) => ({
            path: `/servers/${scene.server.id}/reports?state=open`,
            add: () => another(scene),
            take: async (id) => dataOf(await scene.admin.patch(`/reports/${id}`, { state: 'resolved' })),
          }),
        },
      ],
    },
  ],

  writes: [
    {
      name: 'reportInsert',
      method: 'POST',
      path: '/reports',
      answer: report,
      rule: { anyone: true, flags: [] },
      channels: channelKinds,
      once: true,
      ready: async (scene) => ({ body: { messageId: (await scene.message()).id, reason } }),
      fields: { messageId: 'reference!', reason: 'reason!' },
      events: [
        {
          what: 'a report',
          async write({ home, guest }) {
            const { id } = await home.message();
            return { as: guest, body: { messageId: id, reason }, home: (made) => [['report.created', made]] };
          },
        },
      ],
      random: [anInsert(2, (place, choice) => ({ messageId: idOf(one(place, choice, 'message')), reason }))],
    },
    {
      name: 'reportClose',
      method: 'PATCH',
      path: '/reports/:id',
      answer: report,
      rule: { flags: ['canModerate'] },
      channels: channelKinds,
      async ready(scene) {
        return { id: (await make(scene)).id, body: { state: 'resolved' } };
      },
      fields: { state: 'closing' },
      events: [
        {
          what: 'a report',
          async write({ home }) {
            const { id } = await make(home);
            return {
              id,
              body: { state: 'dismissed' },
              home: (made) => [['report.updated', made]],
            };
          },
        },
      ],
      random: [toOne(1, 'report', (_place, choice) => ({ state: choice.of(['resolved', 'dismissed']) }))],
    },
  ],
};
