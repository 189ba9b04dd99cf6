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
    description: 'Pass it as the `ticket` parameter to open one event stream. It is not shown again',
    examples: ['ticket_plv_…'],
  }),
  expiresAt: time('When the ticket expires, one minute after its creation'),
  cursor: text({
    max: 100,
    description:
      'The position in the log when the ticket was created. Pass it as `after` to avoid missing events',
    examples: ['AAECAwQFAAAAAAAqmZqbnAECAwQ'],
  }),
});

const session = record('SessionTicket', {
  ticket: text({
    max: 100,
    description:
      'Pass it as the `ticket` parameter to open one event stream for all your servers. It is not shown again',
    examples: ['ticket_plv_…'],
  }),
  expiresAt: time('When the ticket expires, one minute after its creation'),
});

export const ticketOperations = [
  write({
    operation: 'personTicketInsert',
    people: true,
    path: '/events/tickets',
    resource: 'ticket',
    verb: 'insert',
    onFullDisk: true,
    summary: 'Create a ticket for an `EventSource` of all your servers',
    description:
      '`EventSource` cannot send the `Palaver-Server` header. Within a minute, `GET /api/people/events?ticket=…` opens one stream with the access of your session.',
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
    onFullDisk: true,
    summary: 'Create a ticket for an event stream in a browser',
    description:
      "A browser's `EventSource` cannot send a key. Within a minute, `GET /api/v1/events?ticket=…` opens one stream with the access of the key that created the ticket.",
    answer: ticket,
    confidential: true,
    target: ({ principal }) =>
      Promise.resolve({ serverId: ownServerId(principal), ownerId: principal.userId }),
    async run(call, _input, { serverId }) {
      const { db, newRow, randomBytes } = call;
      const key = keyOf(call);
      if (!key)
        throw invalid('wrong_kind', '', 'tickets need an API key. A page opens streams with its session');
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
