import type { Row, Table } from './facts.ts';

/** A one-time code that replaces a code from the authenticator app. */
interface RecoveryCodeRow extends Row {
  userId: string;
  /** SHA-256 of the code, in hexadecimal. */
  digest: string;
}

export const recoveryCode: Table<RecoveryCodeRow> = {
  key: ['id'],
  inExportOf: { userId: {} },
  neverTaken: { digest: 'codes are random' },
};
