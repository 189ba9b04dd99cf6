import { type TableName, tableNames, tables } from '../../db/schema.ts';
import { jsonEntries } from './json.ts';

/** A user without an account, and the account that has claimed it. */
export interface Merge {
  userId: string;
  accountId: string;
}

/** A column with the ids of users, or with JSON that contains them. */
export interface Entry {
  table: TableName;
  column: string;
}

/** Columns with user ids that are not part of any data export. */
const others: Partial<Record<TableName, readonly string[]>> = {
  user: ['suspendedWithId'],
  block: ['blockedId'],
  report: ['authorId', 'closerId'],
  keptMessage: ['creatorId', 'deleterId'],
  notification: ['actorId'],
  attachment: ['payerId'],
  picture: ['payerId'],
  hold: ['creatorId', 'userId'],
  personUse: ['userId'],
};

/** Tables whose rows let somebody act as the user, or belong to an account. The account has its own rows. */
const dropped: ReadonlySet<TableName> = new Set<TableName>([
  'approval',
  'authenticationRequest',
  'closing',
  'emailDigest',
  'grant',
  'guess',
  'history',
  'identity',
  'invitation',
  'keywordList',
  'link',
  'mail',
  'nodePerson',
  'passkey',
  'person',
  'presence',
  'pushSubscription',
  'recoveryCode',
  'secondFactor',
  'secret',
  'session',
]);

/**
 * Whether the user's own rows in a table are deleted. Rows that the user only created move to the account.
 */
export const isDropped = ({ table, column }: Entry): boolean =>
  dropped.has(table) && (column === 'userId' || column === 'id');

/**
 * These tables are merged first: they determine which memberships and roles move, and give the account access
 * to the history.
 */
const first: readonly TableName[] = ['serverBan', 'departure', 'serverMember', 'userRole', 'channelMember'];
/**
 * These tables are merged last: a hold covers both users until everything that it covers has moved, and the
 * user's storage total is deleted after the files have moved.
 */
const last: readonly TableName[] = ['hold', 'personUse'];

const columnsOf = (table: TableName): string[] =>
  [...Object.keys(tables[table].inExportOf ?? {}), ...(others[table] ?? [])].filter(
    // The `id` of these two tables is the user's own and does not change.
    (column) => column !== 'id' || (table !== 'user' && table !== 'placeholder'),
  );

const entriesOf = (list: readonly TableName[]): Entry[] =>
  list.flatMap((table) => columnsOf(table).map((column) => ({ table, column })));

/** All columns that a merge changes, in order. Most of them come from the table definitions. */
export const plan: readonly Entry[] = [
  ...entriesOf(first),
  ...entriesOf(tableNames.filter((table) => !first.includes(table) && !last.includes(table))),
  ...jsonEntries,
  ...entriesOf(last),
];
