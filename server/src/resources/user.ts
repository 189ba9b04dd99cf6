import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { Principal } from '../access/principal.ts';
import type { Reader } from '../db/contract.ts';
import { prepareKnown } from '../db/known.ts';
import type { RowOf } from '../db/schema.ts';
import { insert, prepare, q, update } from '../db/statements.ts';
import { isMemberInSight, markUser } from '../db/sweep.ts';
import { invalid, notFound } from '../errors.ts';
import { type Deps, isId } from '../lib/deps.ts';
import { foldedName } from '../lib/foldedName.ts';
import { Type } from '../lib/schema.ts';
import { sampleId } from '../operations/examples.ts';
import {
  flag,
  id,
  name,
  nullable,
  oneOf,
  optional,
  pictureAddress,
  record,
  text,
  webUrl,
} from '../operations/fields.ts';
import { read } from '../operations/read.ts';
import type { Work } from '../operations/work.ts';
import { alters, load, MAX_NAMED, namedIdsIn, namedIn, recordOf, touched } from './common.ts';
import { listById } from './lists.ts';

export const MAX_USERNAME_CHARACTERS = 32;
const USERNAME = new RegExp(`^[a-z0-9_.-]{1,${MAX_USERNAME_CHARACTERS}}$`);

export const isUsername = (text: string): boolean => USERNAME.test(text);

/** Names that could be mistaken for a mention of everyone, a notice from the server, or an erased user. */
const RESERVED = /^(?:everyone|here|channel|all|system|deleted-.*)$/;
/** The initial setup creates a user named `admin`, and operators may also assign this name. */
const RESERVED_FOR_OPERATORS = /^admin$/;

/**
 * Whether a username is reserved. With `byPerson`, this includes the names that only an operator may assign.
 */
export const isReserved = (username: string, { byPerson }: { byPerson: boolean }): boolean =>
  RESERVED.test(username) || (byPerson && RESERVED_FOR_OPERATORS.test(username));

/** Throws INVALID_REQUEST unless a text is a valid username. */
export function requireUsername(username: string): void {
  if (!isUsername(username))
    throw invalid('wrong_form', 'username', 'a username has 1 to 32 characters: a–z 0–9 _ . -');
}

/** Throws INVALID_REQUEST unless a person may choose this username for themselves. */
export function requireOwnUsername(username: string): void {
  requireUsername(username);
  if (isReserved(username, { byPerson: true }))
    throw invalid('reserved', 'username', 'is reserved. Choose another');
}

/** The name shown for an erased user. */
export const ERASED_NAME = 'Deleted user';
const ERASED_PREFIX = 'deleted-';
const MAX_ERASED_USERNAMES = 20;

/**
 * Yields candidate usernames for an erased user. The caller uses the first one that is free. The first
 * candidate ends with the last digits of the id; the others are random.
 */
export function* erasedUsernames(
  userId: string,
  { randomBytes }: Pick<Deps, 'randomBytes'>,
): Generator<string> {
  yield ERASED_PREFIX + userId.slice(-12);
  for (let count = 1; count < MAX_ERASED_USERNAMES; count++)
    yield ERASED_PREFIX + Buffer.from(randomBytes(6)).toString('hex');
}

export const isErased = ({ username, name, suspendedAt }: RowOf<'user'>): boolean =>
  username.startsWith(ERASED_PREFIX) && name === ERASED_NAME && suspendedAt !== null;

/** The fields of a profile in requests. */
export const fields = {
  username: text({
    max: MAX_USERNAME_CHARACTERS,
    description: 'Unique; only the characters a–z 0–9 _ . -',
    examples: ['ada'],
  }),
  name: name('Display name', 'Ada Lovelace'),
  image: nullable(webUrl()),
  type: oneOf(['person', 'agent'], '`agent` is a bot'),
  platformAdmin: flag(),
};

/** The profile, as it is shown in records. */
export const shownFields = {
  ...fields,
  image: nullable(pictureAddress()),
  creatorId: nullable(
    id(
      'The user who created the agent. Null for people, and for agents that the operator created or that were imported',
    ),
  ),
};

export const user = record('User', shownFields);
export const toUser = recordOf(user);

const shareServer = prepare((p: { userId: string; serverId: string }) =>
  q.selectFrom('serverMember').select('id').where('userId', '=', p.userId).where('serverId', '=', p.serverId),
);

/** The columns of a user's record. */
const shownColumns = (Object.keys(user.properties) as (keyof Static<typeof user>)[]).map(
  (name) => `user.${name}` as const,
);

/** Selects the profiles of the given users who are members of a server. */
const usersKnown = prepareKnown<{ id: string; serverId: string }, Static<typeof user>>(
  { id: 'uuid', serverId: 'uuid' },
  (known) =>
    q
      .selectFrom(known.as('known'))
      .innerJoin('serverMember', (join) =>
        join
          .onRef('serverMember.serverId', '=', 'known.serverId')
          .onRef('serverMember.userId', '=', 'known.id'),
      )
      .innerJoin('user', 'user.id', 'serverMember.userId')
      .select(shownColumns)
      .where(isMemberInSight),
);

/** Selects the users who are members of a server, by id. */
const usersOf = (serverId: string | null) =>
  q
    .selectFrom('serverMember')
    .innerJoin('user', 'user.id', 'serverMember.userId')
    .selectAll('user')
    .where('serverMember.serverId', '=', serverId)
    .where(isMemberInSight);

/**
 * Returns the profiles, by id, of the given users who are members of the principal's server, or of all given
 * users if `isPlatform` is set.
 */
export async function usersBeside(
  db: Reader,
  { serverId }: Principal,
  userIds: readonly string[],
  isPlatform = false,
): Promise<Readonly<Record<string, object>>> {
  const known = userIds.filter(isId);
  if (known.length === 0) return {};
  let users: Static<typeof user>[] = [];
  if (isPlatform) users = await db.all(q.selectFrom('user').selectAll().where('id', 'in', known));
  else if (serverId !== null) {
    const rows = known.map((id) => ({ id, serverId }));
    users = await db.all(usersKnown(db.dialect, rows));
  }
  return Object.fromEntries(users.map((row) => [row.id, toUser(row)]));
}

export const userOperations = [
  read({
    operation: 'usersBeside',
    path: '/users',
    tag: 'user',
    summary: "List the members of the key's server",
    visible: 'member',
    query: Type.Object({
      ids: optional(
        text({
          max: 4000,
          description: `Only these users, up to ${MAX_NAMED} ids separated by commas. Other ids are ignored`,
          examples: [sampleId('user')],
        }),
      ),
    }),
    answer: user,
    list: 'many',
    target({ principal: { serverId } }, { query }) {
      namedIn(query, 'ids');
      return { serverId };
    },
    async run({ db, principal }, input) {
      let rows = usersOf(principal.serverId);
      const known = namedIdsIn(input.query, 'ids');
      if (known) {
        if (known.length === 0) return { records: [], next: null };
        rows = rows.where('serverMember.userId', 'in', known);
      }
      return listById(db, rows, input, toUser, 'asc', 'serverMember.userId');
    },
  }),

  read({
    operation: 'userById',
    path: '/users/:userId',
    tag: 'user',
    summary: "Get a user's profile",
    description: "You can get your own profile, and those of members of your key's server.",
    visible: 'member',
    answer: user,
    async target({ db, principal }, { params }) {
      const { serverId, userId } = principal;
      if (!isId(params.userId)) throw notFound('user');
      const [found, membership] = await Promise.all([
        load(db, 'user', params.userId),
        serverId === null ? undefined : db.first(shareServer({ userId: params.userId, serverId })),
      ]);
      // Users may read their own profile in any server.
      return { ...found, serverId: membership ? serverId : null, open: found.id === userId };
    },
    run: async (_call, _input, found) => toUser(await found),
  }),
];

type NewUser = Pick<RowOf<'user'>, 'username' | 'name' | 'type' | 'platformAdmin'> &
  Partial<Pick<RowOf<'user'>, 'homeServerId' | 'creatorId'>>;

/** Creates a user. Throws UniqueViolation if the username is taken. */
export async function addUser({ db, newRow }: Work, fields: NewUser): Promise<RowOf<'user'>> {
  const row = {
    ...newRow(),
    image: null,
    homeServerId: null,
    creatorId: null,
    suspendedAt: null,
    suspendedWithId: null,
    directMessages: 'anybody' as const,
    ...fields,
    nameFolded: foldedName(fields.name),
  };
  await db.run(insert('user', row));
  return row;
}

/**
 * Changes a user's profile. A sweep soon propagates the change to each of their servers. Throws
 * UniqueViolation if the username is taken.
 */
export async function changeUser(
  { db, now }: Work,
  found: RowOf<'user'>,
  fields: Partial<Pick<RowOf<'user'>, 'username' | 'name' | 'image' | 'platformAdmin'>>,
): Promise<RowOf<'user'>> {
  if (!alters(found, fields)) return found;
  const set = {
    ...fields,
    ...(fields.name !== undefined && { nameFolded: foldedName(fields.name) }),
    updatedAt: touched(found, now),
  };
  await db.run(update('user', found.id, set));
  await markUser(db, found.id);
  return { ...found, ...set };
}

/**
 * Returns 1 if there is another platform admin who is not suspended, otherwise 0. Call `lockPlatform` first.
 */
export async function otherPlatformAdmins(db: Reader, userId: string): Promise<number> {
  const others = q
    .selectFrom('user')
    .select('id')
    // The value is a literal, because SQLite would not use the partial index with a parameter.
    .where('platformAdmin', '=', sql.lit(true))
    .where('type', '=', 'person')
    .where('suspendedAt', 'is', null)
    .where('id', '!=', userId)
    .limit(1);
  return (await db.all(others)).length;
}
