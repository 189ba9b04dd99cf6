import type { Row, Table } from './facts.ts';

/** How a person is shown to others. The id is that of the user. */
interface PresenceRow extends Row {
  status: 'online' | 'idle' | 'dnd' | 'invisible';
  text: string | null;
  /** The time at which the text ends; null for never. */
  textUntil: number | null;
}

export const presence: Table<PresenceRow> = { key: ['id'] };
