import type { ColumnTypes } from '../migrate.ts';

/** Adds the setting for previews of links, which are blocks of messages. */
export default (t: ColumnTypes): string[] => [
  `alter table server add column "linkPreviews" ${t.bool} default false`,
];

export const isBackwardCompatible = true;
