import type { ColumnTypes } from '../migrate.ts';

/** Adds people's favorites and the channels that they left. */
export default (t: ColumnTypes): string[] => [
  `alter table "channelReading" add column favorite ${t.bool} default false`,
  `alter table "channelReading" add column hidden ${t.bool} default false`,
];

export const isBackwardCompatible = true;
