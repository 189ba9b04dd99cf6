import type { LogEvent } from '../logEvent.ts';
import { actorOf, nameOfActor } from './actors.ts';
import { csvOf } from './csv.ts';
import { actOf, subjectOf } from './words.ts';

const columns = ['at', 'seq', 'type', 'actorId', 'actor', 'act', 'subject', 'subjectId'];

/** Formats events as CSV. `nameOf` returns an actor's name, if known. */
export const tableOf = (
  events: readonly LogEvent[],
  nameOf: (userId: string) => string | undefined,
): string =>
  csvOf([
    columns,
    ...events.map((event) => [
      new Date(event.at).toISOString(),
      event.seq,
      event.type,
      event.actorId,
      nameOfActor(actorOf(event)) ?? (event.actorId && nameOf(event.actorId)) ?? null,
      actOf(event),
      subjectOf(event) ?? null,
      event.data.id,
    ]),
  ]);
