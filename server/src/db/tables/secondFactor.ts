import type { Row, Table } from './facts.ts';

/** A person's authenticator app (RFC 6238). The id is the person's. */
interface SecondFactorRow extends Row {
  /** The secret shared with the app, encrypted. */
  sealed: string;
  /** When the first valid code was entered. Until then no code is required; null before. */
  confirmedAt: number | null;
  /** The last time step whose code was used, so that no code works twice. */
  lastStep: number;
  /** Consecutive wrong codes. */
  failures: number;
  /** Codes are refused until this time; 0 for never. */
  lockedUntil: number;
}

export const secondFactor: Table<SecondFactorRow> = { key: ['id'], inExportOf: { id: {} }, sealed: 'sealed' };
