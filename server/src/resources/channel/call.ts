import { createHmac } from 'node:crypto';
import { find } from '../../db/statements.ts';
import { notFound } from '../../errors.ts';
import { Type } from '../../lib/schema.ts';
import { text } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { channelTarget } from './load.ts';

/** Number of HMAC bytes in a room's name: enough to make it unguessable. */
const ROOM_BYTES = 15;

/** Returns the name of a channel's room. It is revealed only to users who can see the channel. */
const roomOf = (peopleKey: string, channelId: string): string =>
  createHmac('sha256', peopleKey)
    .update(`call ${channelId}`)
    .digest()
    .subarray(0, ROOM_BYTES)
    .toString('hex');

export const callOperations = [
  read({
    operation: 'channelCall',
    people: true,
    path: '/channels/:id/call',
    tag: 'channel',
    summary: "Get the URL of a channel's call",
    description:
      'The URL is built from the template in `PALAVER_CALL_URL`. The room has the same secret name for everybody who can see the channel. Starting a call does not post a message. Returns NOT_FOUND if no template is set.',
    visible: 'channel',
    answer: Type.Object(
      {
        url: text({
          max: 10_000,
          description: 'Open it in a browser',
          examples: ['https://meet.example.com/8f14e45fceea167a5a36dedd4bea25'],
        }),
      },
      { $id: 'ChannelCall', title: 'ChannelCall', additionalProperties: false },
    ),
    target: ({ db }, { params }) => channelTarget(db, params.id),
    async run({ db, principal: { userId }, services }, { params }, target) {
      const { serverId } = await target;
      const { callUrl, peopleKey } = services;
      if (callUrl === '') throw notFound('call');
      const [user, member] = await Promise.all([
        db.first(find('user', { id: userId })),
        db.first(find('serverMember', { serverId, userId })),
      ]);
      const name = encodeURIComponent(member?.nickname ?? user?.name ?? '');
      const url = callUrl
        .replaceAll('{room}', () => roomOf(peopleKey, params.id))
        .replaceAll('{name}', () => name);
      return { url };
    },
  }),
];
