import type { ColumnTypes } from '../migrate.ts';

/** Adds the setting for link previews. Each preview is a block of its message. */
export default (t: ColumnTypes): string[] => [
  `alter table server add column "linkPreviews" ${t.bool} default false`,
];

export const isBackwardCompatible = true;
