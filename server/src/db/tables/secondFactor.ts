import type { Row, Table } from './facts.ts';

/** A person's authenticator app (RFC 6238). The id is that of the person. */
interface SecondFactorRow extends Row {
  /** The secret shared with the app, encrypted. */
  sealed: string;
  /** When the first valid code was entered. Null before that, and no code is required until then. */
  confirmedAt: number | null;
  /** The time step of the last code that was used, so that no code works twice. */
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
  // Permissions depend on authenticator apps, because a setting may require two-factor authentication.
  // Inserts change no permissions, because a new app is not confirmed yet.
  decidesAuthority: { of: 'id', by: ['confirmedAt'] },
};
