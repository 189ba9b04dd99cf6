import { invalid } from '../errors.ts';
import type { EventTable } from '../feed/eventKind.ts';
import { Type } from '../lib/schema.ts';
import { flag, optional, reference, text } from '../operations/fields.ts';
import { follow, followEverywhere } from '../operations/follow.ts';
import { channelTarget } from './channel.ts';
import { requireSameServer, serverIdOf } from './common.ts';

/** Enough for the cursors of all servers in one stream, and of the person's own log. */
const MAX_CURSORS_CHARACTERS = 6_000;

const wait = Type.Integer({
  minimum: 0,
  maximum: 60,
  default: 0,
  description: 'Seconds to wait if there are no events yet',
});

export const eventOperations = [
  follow({
    operation: 'events',
    path: '/events',
    tag: 'event',
    summary: 'Events of a server, live or later',
    description:
      'With `Accept: text/event-stream`: a stream of server-sent events, after `Last-Event-ID` or `after`, or from now on. Otherwise a page, oldest first, after `after` or from the oldest event kept; with `before`, newest first. See the guide to events.',
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
      serverId: optional(reference("The key's own")),
      after: optional(text({ min: 1, max: 100, description: 'The id of an event, or a nextCursor' })),
      before: optional(
        text({
          min: 1,
          max: 100,
          description:
            'A page of what came before the event with this id, or before a nextCursor, newest first; `latest` for the newest events',
          examples: ['latest'],
        }),
      ),
      wait: optional(wait),
      opening: optional(
        flag(
          'A stream begins with the event `opening`: for clients that keep an id only if data comes with it',
        ),
      ),
      ticket: optional(
        text({
          min: 1,
          max: 100,
          description: 'In place of an API key, for a stream; of `POST /api/v1/events/tickets`',
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
    summary: 'Events of all your servers, live or later',
    description:
      'With `Accept: text/event-stream`: one stream of server-sent events for all servers of which you are a member, and for what concerns you alone, after the cursors in `after`, and otherwise from now on. Servers that you join or leave begin or end in it. Without: a page. See the guide to a client of your own.',
    query: Type.Object({
      after: optional(
        text({
          min: 1,
          max: MAX_CURSORS_CHARACTERS,
          description:
            'The cursors that you have, separated by commas; each names its log by itself. Where you have none, it begins now',
          examples: ['Yw3pQx8BAAAAAAAqmZqbnAECAwQ,Yw3pQx8BAAAAAAAHmZqbnAECAwQ'],
        }),
      ),
      wait: optional(wait),
      ticket: optional(
        text({
          min: 1,
          max: 100,
          description: 'In place of the session, for a stream; of `POST /api/people/events/tickets`',
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
      throw invalid('unknown_value', 'types', `there is no type of event "${name.slice(0, 100)}"`);
    for (const { type } of named) types.add(type);
  }
  return types;
}
