import { eventsOf } from '../../feed/eventKind.ts';
import { SAMPLE_TIME, sampleId } from '../../operations/examples.ts';
import { count, flag, id, name, nullable, record, time } from '../../operations/fields.ts';
import { recordOf } from '../common.ts';

export const threadName = nullable(name(undefined, 'Release plan'));
export const fields = {
  serverId: id(),
  channelId: id(),
  messageId: nullable(id('The message that it hangs on'), sampleId('message')),
  name: threadName,
  creatorId: id(),
  locked: flag('Takes replies, edits and reactions from admins and moderators only'),
  replyCount: count(undefined, 1),
  lastReplyAt: nullable(time(), SAMPLE_TIME),
};

export const thread = record('Thread', fields);
export const toThread = recordOf(thread);

export const threadEvents = eventsOf(
  'thread',
  { data: thread, audience: 'channel' },
  {
    created: 'A thread was started',
    updated: 'A thread was renamed, locked, unlocked or answered in, or a message of it deleted',
    deleted: 'A thread was deleted, and with it its replies, which have no events of their own',
  },
);
