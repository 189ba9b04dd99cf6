import { eventsOf } from '../../feed/eventKind.ts';
import { SAMPLE_TIME, sampleId } from '../../operations/examples.ts';
import { count, flag, id, name, nullable, record, time } from '../../operations/fields.ts';
import { recordOf } from '../common.ts';

export const threadName = nullable(name(undefined, 'Release plan'));
export const fields = {
  serverId: id(),
  channelId: id(),
  messageId: nullable(id('The root message that the thread is attached to'), sampleId('message')),
  name: threadName,
  creatorId: id(),
  locked: flag('Only admins and moderators can reply, edit and react'),
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
    updated: 'A thread was renamed, locked or unlocked, or a reply was added or deleted',
    deleted: 'A thread was deleted, with its replies, which get no events of their own',
  },
);
