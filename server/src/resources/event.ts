import Type from 'typebox';
import { invalid } from '../errors.ts';
import { allTypesNamed, type EventType, eventTypes } from '../feed/events.ts';
import { read } from '../http/endpoint.ts';
import { sampleId } from '../http/examples.ts';
import { id, optional, reference, text, time } from '../http/fields.ts';
import { channelTarget } from './channel.ts';
import { requireSameServer, serverIdOf } from './common.ts';

/** An event as the feed and webhooks tell it. */
const event = Type.Object(
  {
    id: text({
      max: 100,
      description: 'The cursor that the feed goes on from',
      examples: ['AAECAwQFAAAAAAAqmZqbnAECAwQ'],
    }),
    seq: Type.Integer({
      minimum: 1,
      description: 'Grows by one in its server, without gaps',
      examples: [42],
    }),
    type: Type.Unsafe<EventType>({
      type: 'string',
      enum: Object.keys(eventTypes),
      examples: ['message.created'],
    }),
    serverId: id(),
    actorId: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'uuid',
      description: 'Whose doing it was; null for the operator, and for the server itself',
      examples: [sampleId('user')],
    }),
    at: time('When it happened'),
    data: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'The record, as a read shows it; of what was deleted, as it was just before',
      examples: [{ id: sampleId('message'), content: 'Hello, world' }],
    }),
  },
  { $id: 'Event', title: 'Event', additionalProperties: false },
);

export const eventEndpoints = [
  read({
    operation: 'events',
    path: '/events',
    tag: 'event',
    summary: 'What happens in a server, as it happens or later',
    description:
      'With `Accept: text/event-stream` it is a stream of server-sent events, which goes on from `Last-Event-ID` or `after`, or from now; otherwise a page, oldest first, from `after` or the oldest event that is kept. See the guide to events.',
    visible: 'channel',
    query: Type.Object({
      types: optional(
        text({
          max: 2000,
          description: 'Only these types, separated by commas; `message.*` for all of a kind',
          examples: ['message.created,reaction.*'],
        }),
      ),
      channelId: optional(reference('Only what is in this channel')),
      serverId: optional(reference("The key's own")),
      after: optional(text({ min: 1, max: 100, description: 'The id of an event, or what nextCursor gave' })),
      wait: optional(
        Type.Integer({
          minimum: 0,
          maximum: 60,
          default: 0,
          description: 'Seconds to wait for an event where there is none yet',
        }),
      ),
    }),
    answer: event,
    list: 'feed',
    async target(call, { query }) {
      if (query.channelId === undefined) return { serverId: await serverIdOf(call, query.serverId) };
      const target = await channelTarget(call.db, query.channelId);
      await requireSameServer(call, query.serverId, target.serverId);
      return target;
    },
    async run(_call, { query }) {
      const { channelId, after, limit, wait = 0 } = query;
      return { filter: { types: typesFrom(query.types), channelId }, after, limit, wait };
    },
  }),
];

/** The types of events that a text names. Throws INVALID_REQUEST for one that there is not. */
function typesFrom(list: string | undefined): ReadonlySet<string> | undefined {
  if (list === undefined) return undefined;
  const types = new Set<string>();
  for (const name of list.split(',').map((part) => part.trim())) {
    const named = allTypesNamed(name);
    if (named.length === 0) throw invalid('types', `there is no type of event "${name.slice(0, 100)}"`);
    for (const type of named) types.add(type);
  }
  return types;
}
