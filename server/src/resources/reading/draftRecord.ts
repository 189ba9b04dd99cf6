import { eventsOf } from '../../feed/eventKind.ts';
import { id, nullable, record, text } from '../../operations/fields.ts';
import { recordOf } from '../common.ts';

export const content = text({ max: 8000, description: 'As it was typed so far', examples: ['Hello, wor'] });

export const draft = record('Draft', {
  serverId: id(),
  userId: id(),
  channelId: id(),
  threadId: nullable(id('If it is a reply')),
  content,
});
export const toDraft = recordOf(draft);

export const draftEvents = eventsOf(
  'draft',
  { data: draft, audience: 'person', isLive: true },
  { updated: 'You have written on', deleted: 'You have sent or emptied a draft' },
);
