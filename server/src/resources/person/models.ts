import type { TableName } from '../../db/schema.ts';

/** A column of a model of better-auth. */
export interface Column {
  name: string;
  /** The table, if it is not the model's. */
  table?: TableName;
  /** True for a time, which the database has in milliseconds. */
  isTime?: true;
  /** True for a token of which the database has the digest. */
  isDigest?: true;
}

/** A model of better-auth, in our tables. Fields that it does not name are not kept. */
export interface Model {
  name: string;
  table: TableName;
  columns: Readonly<Record<string, Column>>;
}

const column = (name: string): Column => ({ name });
const time = (name: string): Column => ({ name, isTime: true });
const times = { createdAt: time('createdAt'), updatedAt: time('updatedAt') };
const ofUser = (name: string): Column => ({ name, table: 'user' });

export const models = {
  user: {
    name: 'user',
    table: 'person',
    columns: {
      id: column('id'),
      email: column('email'),
      emailVerified: column('emailVerified'),
      username: ofUser('username'),
      name: ofUser('name'),
      image: ofUser('image'),
      ...times,
    },
  },
  account: {
    name: 'account',
    table: 'identity',
    columns: {
      id: column('id'),
      userId: column('userId'),
      providerId: column('provider'),
      accountId: column('account'),
      password: column('password'),
      ...times,
    },
  },
  session: {
    name: 'session',
    table: 'session',
    columns: {
      id: column('id'),
      userId: column('userId'),
      token: { name: 'digest', isDigest: true },
      expiresAt: time('expiresAt'),
      ...times,
    },
  },
} satisfies Record<string, Model>;

export const columnsOf = ({ columns }: Model): [field: string, Column][] => Object.entries(columns);

/** The address that better-auth sees of a person without one. Nothing is ever sent to it (RFC 2606). */
export const placeholderOf = (userId: string): string => `${userId}@palaver.invalid`;
