import type { Row, Table } from './facts.ts';

/** The app of a person that shows codes (RFC 6238), with the `id` of the person. */
interface SecondFactorRow extends Row {
  /** The secret that the app shares, encrypted. */
  sealed: string;
  /** The time of the first code that was right; until then no code is asked for. Null before. */
  confirmedAt: number | null;
  /** The last time step whose code was used: no code is good twice. */
  lastStep: number;
  /** Wrong codes one after the other. */
  failures: number;
  /** Codes are refused until then; 0 for never. */
  lockedUntil: number;
}

export const secondFactor: Table<SecondFactorRow> = { key: ['id'], sealed: 'sealed' };
