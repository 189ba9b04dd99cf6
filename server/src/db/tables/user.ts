import type { Row, Table } from './facts.ts';

interface UserRow extends Row {
  username: string;
  name: string;
  image: string | null;
  type: 'person' | 'agent';
  platformAdmin: boolean;
}

export const user: Table<UserRow> = {
  key: ['id'],
  decidesAuthority: true,
  isPermanent: true,
  unique: { username: 'this username is taken' },
};
