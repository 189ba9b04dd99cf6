import type { Row, Table } from './facts.ts';

/** The presence that a person has chosen. The id is that of the user. */
interface PresenceRow extends Row {
  status: 'online' | 'idle' | 'dnd' | 'invisible';
  text: string | null;
  /** When the text expires; null for never. */
  textUntil: number | null;
}

export const presence: Table<PresenceRow> = { key: ['id'], inExportOf: { id: {} } };
