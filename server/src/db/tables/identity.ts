import type { Row, Table } from './facts.ts';

/** A way in which a person signs in: a password, or their account at another service. */
interface IdentityRow extends Row {
  userId: string;
  /** `credential` for a password. */
  provider: string;
  /** The name of the account at the provider; for a password the id of the user. */
  account: string;
  /** The hash of a password, in the PHC string format; null for an account at another service. */
  password: string | null;
}

export const identity: Table<IdentityRow> = {
  key: ['id'],
  unique: { 'provider,account': 'this account is connected already' },
};
