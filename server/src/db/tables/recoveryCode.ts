import type { Row, Table } from './facts.ts';

/** A code that stands for one of the app's, once. */
interface RecoveryCodeRow extends Row {
  userId: string;
  /** SHA-256 of the code, hexadecimal. */
  digest: string;
}

export const recoveryCode: Table<RecoveryCodeRow> = {
  key: ['id'],
  neverTaken: { digest: 'codes are random' },
};
