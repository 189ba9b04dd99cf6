import type { LoggedEvent } from '../../feed/logged.ts';
import { asWhole, readFor } from '../../feed/whole.ts';
import { usersIn } from '../../operations/expand.ts';
import { type FollowOperation, performFollow } from '../../operations/follow.ts';
import { validInput } from '../../operations/validation.ts';
import { eventPage, gapError } from '../streams/follow.ts';
import { integer, text } from './fields.ts';
import {
  clock,
  type Message,
  messageLine,
  nameOf,
  onOneLine,
  structuredMessage,
  type Users,
  usersFrom,
} from './lines.ts';
import { type Arguments, type Calling, given, type Shown, type Tool } from './tool.ts';

/** The value of `after` for the first call. */
const NOW = 'now';
/** The types of all events about messages. */
const MESSAGES = 'message.*';
/** Maximum wait. Clients time out after a minute. */
const MAX_SECONDS = 50;
const PAGE = '50';
/** Maximum characters of the data of an event that is not about a message. */
const MAX_DATA_CHARACTERS = 300;

type Listed = Omit<Tool, 'input' | 'show' | 'operation'> & { operation: string };

/** Follows the server's log by long polling, like `GET /api/v1/events`. */
export const waitForEvents: Listed = {
  name: 'wait_for_events',
  description: 'Wait for new events, such as messages. Call again with the `after` of the result.',
  operation: 'events',
  fields: {
    after: text('"now", or from the last result'),
    types: { type: 'array', items: { type: 'string' }, description: 'Such as message.created' },
    seconds: integer(0, MAX_SECONDS, 'Longest wait'),
  },
  optional: ['types'],
  output: { events: 'array', after: 'string' },
  effect: 'read',
};

export async function waitedFor(
  calling: Calling,
  operation: FollowOperation,
  { after, types, seconds }: Arguments,
): Promise<Shown> {
  const { services, caller, closing } = calling;
  const fromNow = after === NOW;
  const asked = types === undefined ? undefined : new Set(types as readonly string[]);
  const query = given({
    limit: PAGE,
    wait: seconds,
    after: fromNow ? undefined : after,
    types: asked && [...readFor(asked)].join(),
  });
  const input = validInput(operation, { params: {}, query, body: undefined });
  // Like a stream, a call without a cursor starts after the latest event.
  const form = { asStream: fromNow, lastId: undefined };
  const following = await performFollow(services, operation, caller, input.params, input.query, form);
  const { reading, gap, limit, wait } = following;
  try {
    if (gap) throw gapError(gap, false);
    const whole = (event: LoggedEvent) =>
      asWhole(event, asked?.has(MESSAGES) ? undefined : asked, services.feed.events) ?? [];
    const signal = closing();
    const end = performance.now() + wait * 1000;
    for (;;) {
      const page = await eventPage(reading, limit, Math.max(end - performance.now(), 0), signal);
      const found = page.flatMap(whole);
      // The event for the start of a streamed message does not end the wait.
      if (found.length === 0 && page.length > 0 && !signal.aborted) continue;
      return await shown(found, reading.cursor, !reading.isAtEnd, calling);
    }
  } finally {
    reading.close();
  }
}

interface Event {
  id: string;
  type: string;
  at: number;
  actorId: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: the records of all nouns
  data: any;
}

async function shown(
  found: readonly LoggedEvent[],
  after: string,
  hasMore: boolean,
  { services, caller }: Calling,
): Promise<Shown> {
  const events = found.map(({ json }) => JSON.parse(json) as Event);
  const userIds = usersIn(
    events.flatMap((event) => [event, event.data]),
    ['actorId', 'creatorId', 'userId'],
  );
  const users = usersFrom(await services.usersBeside(services.db.read, caller.principal, userIds));
  const lines = events.map((event) => eventLine(event, users));
  const last = hasMore ? 'More events are waiting' : 'Call again';
  return {
    lines: [...(lines.length > 0 ? lines : ['No events.']), `${last}: wait_for_events with after=${after}`],
    structured: { events: events.map((event) => structuredEvent(event, users)), after },
  };
}

const isMessage = (type: string): boolean => type === 'message.created' || type === 'message.updated';

function eventLine({ type, at, actorId, data }: Event, users: Users): string {
  if (isMessage(type)) return `${type} in channel ${data.channelId}: ${messageLine(data as Message, users)}`;
  const actor = actorId === null ? '' : ` by ${nameOf(users, actorId)}`;
  return `${type} [${clock(at)}]${actor}: ${onOneLine(JSON.stringify(data), MAX_DATA_CHARACTERS)}`;
}

const structuredEvent = ({ id, type, at, actorId, data }: Event, users: Users): object => ({
  id,
  type,
  at,
  actorId,
  data: isMessage(type) ? structuredMessage(data as Message, users, { withChannels: true }) : data,
});
