import { eventsOf } from '../feed/eventKind.ts';
import { Type } from '../lib/schema.ts';
import { count, id, time } from '../operations/fields.ts';

const finished = Type.Object(
  {
    id: id(),
    createdAt: time(),
    serverId: id(),
    source: Type.String({ description: 'The product that the history comes from', examples: ['slack'] }),
    messages: count('Messages that were added'),
  },
  { $id: 'ImportFinished', title: 'ImportFinished', additionalProperties: false },
);

export const importEvents = eventsOf(
  'import',
  { data: finished, audience: 'member' },
  {
    finished:
      'History was imported. Channels, members, messages and everything else of the server may have changed without other events: load it again',
  },
);
