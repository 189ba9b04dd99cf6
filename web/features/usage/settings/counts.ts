import type { Records } from '../../../api/records.ts';
import { dayOf, firstDay } from '../../settings/days/index.ts';

/** A sent message, reduced to the fields that are counted. */
export interface Sent {
  at: number;
  userId: string | null;
  type: 'person' | 'agent' | 'system';
}

/** The messages in `message.created` events. */
export const sentIn = (events: readonly Records['Event'][]): Sent[] =>
  events.flatMap((event) =>
    event.type === 'message.created'
      ? [{ at: event.at, userId: event.data.creatorId, type: event.data.type }]
      : [],
  );

/** A local day, with the number of messages sent by people and by agents. */
export interface Day {
  /** The local midnight in ms. */
  at: number;
  people: number;
  agents: number;
}

/** The last `days` days up to `now`, with their message counts. System messages are not counted. */
export function perDay(sent: readonly Sent[], days: number, now: number): Day[] {
  const list = Array.from({ length: days }, (_, at) => ({
    at: firstDay(days - at, now),
    people: 0,
    agents: 0,
  }));
  const byDay = new Map(list.map((day) => [day.at, day]));
  for (const { at, type } of sent) {
    const day = byDay.get(dayOf(at));
    if (day && type === 'person') day.people++;
    if (day && type === 'agent') day.agents++;
  }
  return list;
}

/** An author and the number of their messages. */
export interface Author {
  userId: string;
  type: 'person' | 'agent';
  count: number;
}

/** The `most` most active authors, with the most active first. */
export function perAuthor(sent: readonly Sent[], most: number): Author[] {
  const authors = new Map<string, Author>();
  for (const { userId, type } of sent) {
    if (type === 'system' || userId === null) continue;
    const author = authors.get(userId) ?? { userId, type, count: 0 };
    author.count++;
    authors.set(userId, author);
  }
  return [...authors.values()].sort((one, other) => other.count - one.count).slice(0, most);
}
