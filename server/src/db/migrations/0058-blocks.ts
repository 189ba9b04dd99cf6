import type { ColumnTypes } from '../migrate.ts';
import { authorViewWithBlocks } from '../sqlite/authorIndex.ts';

/** Adds blocks to messages. On SQLite, pages by author show them as well. */
export default (t: ColumnTypes): string[] => [
  `alter table message add column blocks ${t.json}`,
  ...(t.dialect === 'sqlite' ? authorViewWithBlocks : []),
];

export const isBackwardCompatible = true;
