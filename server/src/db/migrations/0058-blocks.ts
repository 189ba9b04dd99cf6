import type { ColumnTypes } from '../migrate.ts';
import { authorViewWithBlocks } from '../sqlite/authorIndex.ts';

/** Adds blocks to messages. On SQLite, also adds them to the view of messages by author. */
export default (t: ColumnTypes): string[] => [
  `alter table message add column blocks ${t.json}`,
  ...(t.dialect === 'sqlite' ? authorViewWithBlocks : []),
];

export const isBackwardCompatible = true;
