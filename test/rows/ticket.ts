import type { Noun } from './row.ts';

export const tickets: Noun = {
  name: 'ticket',
  live: true,
  group: 'Tickets',
  limit: 60,
  reads: [],
  writes: [
    {
      name: 'ticketInsert',
      method: 'POST',
      path: '/events/tickets',
      answer: { ticket: 'text', expiresAt: 'time', cursor: 'text' },
      rule: { anyone: true, flags: [], inOwnServer: true, ownOnly: true },
      ready: async () => ({}),
      events: [{ what: 'nothing: a ticket is no record', write: async () => ({}) }],
    },
  ],
};
