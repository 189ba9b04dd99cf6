import { expressionBuilder } from 'kysely';
import type { Reader } from './contract.ts';
import type { RowOf, Tables } from './schema.ts';
import { insert, prepare, q } from './statements.ts';

type Gone = Pick<RowOf<'sweep'>, 'noun' | 'id' | 'serverId' | 'channelId' | 'actorId'>;

/** Marks a thing that is gone while rows that go with it are left: they are out of sight from now on, and swept soon. */
export const mark = ({ noun, id, serverId, channelId, actorId }: Gone) =>
  insert('sweep', { noun, id, serverId, channelId, actorId, owner: null, ownedUntil: 0 });

const messages = expressionBuilder<Tables, 'message'>();

/** The condition that a message is no reply in a thread that is gone. */
export const isInSight = messages.not(
  messages.exists(
    messages.selectFrom('sweep').select('sweep.id').whereRef('sweep.id', '=', 'message.threadId'),
  ),
);

const notifications = expressionBuilder<Tables, 'notification'>();

/** The condition that the message of a notification is in sight. */
export const isOfMessageInSight = notifications.not(
  notifications.or([
    notifications.exists(
      notifications
        .selectFrom('sweep')
        .select('sweep.id')
        .whereRef('sweep.id', '=', 'notification.messageId'),
    ),
    notifications.exists(
      notifications
        .selectFrom('message')
        .innerJoin('sweep', 'sweep.id', 'message.threadId')
        .select('sweep.id')
        .whereRef('message.id', '=', 'notification.messageId'),
    ),
  ]),
);

const inChannel = prepare((p: { channelId: string }) =>
  q.selectFrom('sweep').select('id').where('channelId', '=', p.channelId).limit(1),
);
const inServer = prepare((p: { serverId: string }) =>
  q
    .selectFrom('sweep')
    .select('id')
    .where('serverId', '=', p.serverId)
    .where('channelId', 'is not', null)
    .limit(1),
);

/** True while rows of a channel, or of a server, may be out of sight. */
export const isSwept = async (
  db: Reader,
  place: { channelId: string } | { serverId: string },
): Promise<boolean> =>
  (await db.first('channelId' in place ? inChannel(place) : inServer(place))) !== undefined;
