import { newTicket } from '../access/credentials/ticket.ts';
import { digestOf } from '../access/credentials/token.ts';
import { insert } from '../db/statements.ts';
import { TICKET_MS } from '../db/tables/ticket.ts';
import { invalid } from '../errors.ts';
import { eventIdOf } from '../feed/eventId.ts';
import { latestPosition } from '../feed/positions.ts';
import { keyOf, serverlessOf } from '../operations/call.ts';
import { record, text, time } from '../operations/fields.ts';
import { write } from '../operations/write.ts';
import { ownServerId } from '../resources/common.ts';

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

const session = record('SessionTicket', {
  ticket: text({
    max: 100,
    description: 'Opens one stream of all your servers, as the parameter `ticket`. No other answer has it',
    examples: ['ticket_plv_…'],
  }),
  expiresAt: time('A minute after it was made'),
});

export const ticketOperations = [
  write({
    operation: 'personTicketInsert',
    people: true,
    path: '/events/tickets',
    resource: 'ticket',
    verb: 'insert',
    summary: 'A ticket, with which an `EventSource` opens a stream of all your servers',
    description:
      '`EventSource` cannot send the header `Palaver-Server`. `GET /api/people/events?ticket=…` opens one stream, within a minute, as your session.',
    answer: session,
    confidential: true,
    target: ({ principal: { serverId, userId } }) => Promise.resolve({ serverId, ownerId: userId }),
    async run(call) {
      const { db, newRow, randomBytes } = call;
      const value = newTicket(randomBytes);
      const made = newRow();
      const { id, createdAt } = made;
      const { id: sessionId, digest: keyDigest } = serverlessOf(call) as { id: string; digest: string };
      const row = { id, createdAt, digest: digestOf(value), secretId: null, sessionId, keyDigest };
      await db.run(insert('ticket', row));
      return { ...made, ticket: value, expiresAt: createdAt + TICKET_MS };
    },
  }),

  write({
    operation: 'ticketInsert',
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
    async run(call, _input, { serverId }) {
      const { db, newRow, randomBytes } = call;
      const key = keyOf(call);
      if (!key)
        throw invalid('wrong_kind', '', 'a ticket is for an API key: a page opens streams with its session');
      const value = newTicket(randomBytes);
      const made = newRow();
      const { id, createdAt } = made;
      const row = {
        ...{ id, createdAt, digest: digestOf(value) },
        ...{ secretId: key.id, sessionId: null, keyDigest: key.digest },
      };
      const [place] = await Promise.all([latestPosition(db, serverId), db.run(insert('ticket', row))]);
      return {
        ...made,
        ticket: value,
        expiresAt: createdAt + TICKET_MS,
        cursor: eventIdOf(serverId, place),
      };
    },
  }),
];
