import type { ColumnTypes } from '../migrate.ts';

/**
 * Adds the skeletons of members' names, by which lookalike names are found, and the name that a member's name
 * resembles. Upkeep fills them in for existing members.
 */
export default (_t: ColumnTypes): string[] => [
  ...['nameSkeleton', 'usernameSkeleton', 'lookAlike'].map(
    (column) => `alter table "serverMember" add column "${column}" text`,
  ),
  ...['nameSkeleton', 'usernameSkeleton'].map(
    (column) => `create index "serverMember_${column}" on "serverMember" ("serverId", "${column}", id)`,
  ),
  'create index "serverMember_lookAlike" on "serverMember" ("serverId", "lookAlike", id) where "lookAlike" is not null',
  'create index "serverMember_unnamed" on "serverMember" (id) where "nameSkeleton" is null',
];

export const isBackwardCompatible = true;
