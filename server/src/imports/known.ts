import { sql } from 'kysely';
import { prepareKnown } from '../db/known.ts';
import { q } from '../db/statements.ts';

// Finds rows that already exist, looking up many per statement.

type Ided = { id: string };

export const knownMessages = prepareKnown<Ided, { id: string; serverId: string; channelId: string }>(
  { id: 'uuid' },
  (known) =>
    q
      .selectFrom(known.as('known'))
      .innerJoin('message', 'message.id', 'known.id')
      .select(['message.id', 'message.serverId', 'message.channelId']),
);

export const knownUsers = prepareKnown<
  Ided,
  {
    id: string;
    username: string;
    type: 'person' | 'agent';
    suspendedAt: number | null;
    accountId: string | null;
    accountName: string | null;
  }
>({ id: 'uuid' }, (known) =>
  q
    .selectFrom(known.as('known'))
    .innerJoin('user', 'user.id', 'known.id')
    .leftJoin('placeholder', 'placeholder.id', 'user.id')
    .leftJoin('user as account', 'account.id', 'placeholder.accountId')
    .select(['user.id', 'user.username', 'user.type', 'user.suspendedAt'])
    .select(['account.id as accountId', 'account.username as accountName']),
);

export const knownFiles = prepareKnown<Ided, { id: string }>({ id: 'uuid' }, (known) =>
  q
    .selectFrom(known.as('known'))
    .innerJoin('attachment', 'attachment.id', 'known.id')
    .select('attachment.id'),
);

export const knownThreads = prepareKnown<Ided, { id: string; channelId: string }>({ id: 'uuid' }, (known) =>
  q
    .selectFrom(known.as('known'))
    .innerJoin('thread', 'thread.id', 'known.id')
    .select(['thread.id', 'thread.channelId']),
);

/** Returns the accounts with these verified email addresses. */
export const accountsAt = prepareKnown<{ email: string }, { id: string; email: string; username: string }>(
  { email: 'text' },
  (known) =>
    q
      .selectFrom(known.as('known'))
      .innerJoin('person', (join) => join.on(sql<boolean>`person.email = known.email`))
      .innerJoin('user', 'user.id', 'person.id')
      .select(['person.id', sql<string>`person.email`.as('email'), 'user.username'])
      .where('person.emailVerified', '=', true)
      .where('user.suspendedAt', 'is', null),
);

/** Returns the given usernames that are taken. */
export const takenUsernames = prepareKnown<{ username: string }, { username: string }>(
  { username: 'text' },
  (known) =>
    q
      .selectFrom(known.as('known'))
      .innerJoin('user', (join) => join.on(sql<boolean>`"user".username = known.username`))
      .select('user.username'),
);

/** Returns the given users who have a row for a server in a table. */
const usersIn = (table: 'serverMember' | 'serverBan' | 'departure') =>
  prepareKnown<{ id: string; serverId: string }, { id: string }>({ id: 'uuid', serverId: 'uuid' }, (known) =>
    q
      .selectFrom(known.as('known'))
      .innerJoin(table as 'serverMember', (join) =>
        join
          .onRef(`${table as 'serverMember'}.userId`, '=', sql`known.id`)
          .onRef(`${table as 'serverMember'}.serverId`, '=', sql`known."serverId"`),
      )
      .select(sql<string>`known.id`.as('id')),
  );
export const membersAmong = usersIn('serverMember');
export const bannedAmong = usersIn('serverBan');
export const departedAmong = usersIn('departure');
