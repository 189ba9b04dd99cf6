import { newTicket } from '../access/credentials/ticket.ts';
import { digestOf } from '../access/credentials/token.ts';
import { insert } from '../db/statements.ts';
import { TICKET_MS } from '../db/tables/ticket.ts';
import { eventIdOf } from '../feed/eventId.ts';
import { latestPlace } from '../feed/places.ts';
import { record, text, time } from '../operations/fields.ts';
import { write } from '../operations/write.ts';
import { ownServerId } from './common.ts';

const ticket = record('Ticket', {
  ticket: text({
    max: 100,
    description: 'Opens one stream of events, as the parameter `ticket`. No other answer has it',
    examples: ['ticket_plv_…'],
  }),
  expiresAt: time('A minute after it was made'),
  cursor: text({
    max: 100,
    description:
      'The place in the log at which the ticket was made: a stream with it as `after` misses nothing since',
    examples: ['AAECAwQFAAAAAAAqmZqbnAECAwQ'],
  }),
});

export const ticketOperations = [
  write({
    operation: 'ticketInsert',
    method: 'POST',
    path: '/events/tickets',
    resource: 'ticket',
    verb: 'insert',
    summary: 'A ticket, with which a page opens a stream of events',
    description:
      "Browsers' own `EventSource` cannot send a key. `GET /api/v1/events?ticket=…` opens one stream, within a minute, as the key for which the ticket was made.",
    answer: ticket,
    confidential: true,
    target: ({ principal }) =>
      Promise.resolve({ serverId: ownServerId(principal), ownerId: principal.userId }),
    async run({ db, key, newRow, randomBytes }, _input, { serverId }) {
      if (!key) throw new Error('only API keys are admitted');
      const value = newTicket(randomBytes);
      const made = newRow();
      const { id, createdAt } = made;
      const row = { id, createdAt, digest: digestOf(value), secretId: key.id, keyDigest: key.digest };
      const [place] = await Promise.all([latestPlace(db, serverId), db.run(insert('ticket', row))]);
      return {
        ...made,
        ticket: value,
        expiresAt: createdAt + TICKET_MS,
        cursor: eventIdOf(serverId, place),
      };
    },
  }),
];
