import type { ColumnTypes } from '../migrate.ts';

/** Adds invitations of individual people to a server, and records who left a server. */
export default (t: ColumnTypes): string[] => [
  `create table invitation (id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time},
    "serverId" ${t.id} references server (id) on delete cascade, "userId" ${t.id}, "creatorId" ${t.id},
    "expiresAt" ${t.time}, "closedAt" ${t.timeOrNull}, unique ("serverId", "userId"))`,
  'create index invitation_server on invitation ("serverId", id)',
  'create index invitation_user on invitation ("userId", id)',
  'create index invitation_age on invitation ("expiresAt")',
  `create table departure (id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time},
    "serverId" ${t.id} references server (id) on delete cascade, "userId" ${t.id}, unique ("serverId", "userId"))`,
  'create index departure_server on departure ("serverId", id)',
  'create index departure_user on departure ("userId", id)',
];
