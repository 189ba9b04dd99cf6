import type { Row, Table } from './facts.ts';

/** A way for a person to sign in: a password, or an account at an identity provider. */
interface IdentityRow extends Row {
  userId: string;
  /** The id of the identity provider; `credential` for a password. */
  provider: string;
  /** The account's name at the provider; for a password, the user's id. */
  account: string;
  /** The hash of a password in PHC string format; null for a provider's account. */
  password: string | null;
}

export const identity: Table<IdentityRow> = {
  key: ['id'],
  inExportOf: { userId: {} },
  unique: { 'provider,account': 'this account is already linked' },
};

/** The `provider` of a password identity. */
export const PASSWORD = 'credential';
