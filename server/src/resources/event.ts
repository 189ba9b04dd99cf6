import { invalid } from '../errors.ts';
import type { EventTable } from '../feed/eventKind.ts';
import { Type } from '../lib/schema.ts';
import { flag, optional, reference, text } from '../operations/fields.ts';
import { follow, followEverywhere } from '../operations/follow.ts';
import { channelTarget } from './channel/load.ts';
import { requireSameServer, serverIdOf } from './common.ts';

/**
 * Maximum characters of cursors in `after`: enough for all servers in one stream and for the person's own
 * log.
 */
const MAX_CURSORS_CHARACTERS = 6_000;

const wait = Type.Integer({
  minimum: 0,
  maximum: 60,
  default: 0,
  description: 'Seconds to wait for events if there are none (long polling)',
});

export const eventOperations = [
  follow({
    operation: 'events',
    path: '/events',
    tag: 'event',
    summary: "Stream or list a server's events",
    description:
      'With `Accept: text/event-stream`, returns a stream of server-sent events that starts after `Last-Event-ID` or `after`, or with the next event. Otherwise, returns a page, oldest first, that starts after `after` or with the oldest retained event. With `before`, the page is sorted newest first. See the guide to events.',
    visible: 'channel',
    query: Type.Object({
      types: optional(
        text({
          max: 2000,
          description: 'Only these types, separated by commas; `message.*` for all types of a noun',
          examples: ['message.created,reaction.*'],
        }),
      ),
      channelId: optional(reference('Only events of this channel')),
      serverId: optional(reference("The server. It must be the key's server")),
      after: optional(text({ min: 1, max: 100, description: 'An event id or a `nextCursor`' })),
      before: optional(
        text({
          min: 1,
          max: 100,
          description:
            'Return a page of the events before this event id or `nextCursor`, newest first; `latest` for the newest events',
          examples: ['latest'],
        }),
      ),
      wait: optional(wait),
      opening: optional(
        flag(
          'Start the stream with an `opening` event, for clients that store an id only if it comes with data',
        ),
      ),
      ticket: optional(
        text({
          min: 1,
          max: 100,
          description:
            'A ticket from `POST /api/v1/events/tickets`. It authenticates the stream instead of the API key',
          examples: ['ticket_plv_…'],
        }),
      ),
    }),
    parameters({ services: { events } }, { query }) {
      const { channelId, after, before, limit, wait = 0, opening = false } = query;
      const filter = { types: typesFrom(events, query.types), channelId };
      return { filter, after, before, limit, wait, opensWithEvent: opening };
    },
    async target(call, { query }) {
      if (query.channelId === undefined) {
        const serverId = await serverIdOf(call, query.serverId);
        return { serverId, logId: serverId };
      }
      const target = await channelTarget(call.db, query.channelId);
      await requireSameServer(call, query.serverId, target.serverId);
      return { ...target, logId: target.serverId };
    },
  }),

  followEverywhere({
    operation: 'personEvents',
    path: '/events',
    people: true,
    everywhere: true,
    visible: 'self',
    tag: 'event',
    summary: 'Stream or list the events of all your servers',
    description:
      'With `Accept: text/event-stream`, returns one stream with the server-sent events of all servers that you are a member of, and with events that concern only you. It starts after the cursors in `after`, or with the next event. When you join or leave a server, the server is added to the stream or removed from it. Without that header, returns a page. See the guide "Your own client".',
    query: Type.Object({
      after: optional(
        text({
          min: 1,
          max: MAX_CURSORS_CHARACTERS,
          description: 'Your cursors, separated by commas, one per log. Logs without a cursor start now',
          examples: ['Yw3pQx8BAAAAAAAqmZqbnAECAwQ,Yw3pQx8BAAAAAAAHmZqbnAECAwQ'],
        }),
      ),
      wait: optional(wait),
      ticket: optional(
        text({
          min: 1,
          max: 100,
          description:
            'A ticket from `POST /api/people/events/tickets`. It authenticates the stream instead of the session',
          examples: ['ticket_plv_…'],
        }),
      ),
    }),
  }),
];

/** Parses a comma-separated list of event types. Throws INVALID_REQUEST for an unknown name. */
function typesFrom(events: EventTable, list: string | undefined): ReadonlySet<string> | undefined {
  if (list === undefined) return undefined;
  const types = new Set<string>();
  for (const name of list.split(',').map((part) => part.trim())) {
    const named = events.named(name);
    if (named.length === 0)
      throw invalid('unknown_value', 'types', `unknown event type "${name.slice(0, 100)}"`);
    for (const { type } of named) types.add(type);
  }
  return types;
}
