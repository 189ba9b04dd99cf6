import type { Row, Table } from './facts.ts';

/** A person's authenticator app (RFC 6238). The id is the person's. */
interface SecondFactorRow extends Row {
  /** The secret shared with the app, encrypted. */
  sealed: string;
  /** When the first valid code was entered; null before that. No code is required until then. */
  confirmedAt: number | null;
  /** The time step of the last code that was used, so no code works twice. */
  lastStep: number;
  /** Consecutive wrong codes. */
  failures: number;
  /** Codes are rejected until this time; 0 for never. */
  lockedUntil: number;
}

export const secondFactor: Table<SecondFactorRow> = {
  key: ['id'],
  inExportOf: { id: {} },
  sealed: 'sealed',
  // A setting may require two-factor authentication. A newly inserted app is not confirmed yet.
  decidesAuthority: { of: 'id', by: ['confirmedAt'] },
};
