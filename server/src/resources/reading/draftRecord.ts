import { eventsOf } from '../../feed/eventKind.ts';
import { id, nullable, record, text } from '../../operations/fields.ts';
import { recordOf } from '../common.ts';

export const content = text({ max: 8000, description: 'The text so far', examples: ['Hello, wor'] });

export const draft = record('Draft', {
  serverId: id(),
  userId: id(),
  channelId: id(),
  threadId: nullable(id('The thread, for a reply in a thread')),
  content,
});
export const toDraft = recordOf(draft);

export const draftEvents = eventsOf(
  'draft',
  { data: draft, audience: 'person', live: 'person' },
  { updated: 'You changed a draft', deleted: 'You sent or discarded a draft' },
);
