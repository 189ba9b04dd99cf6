import type { ColumnTypes } from '../migrate.ts';

/** Adds people's interactions with messages from agents, and commands. */
export default (t: ColumnTypes): string[] => {
  const row = `id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time}, "serverId" ${t.id}`;
  return [
    `create table interaction (${row}, "channelId" ${t.id}, "messageId" ${t.idOrNull}, "commandId" ${t.idOrNull},
      "agentId" ${t.id}, "userId" ${t.id}, "blockId" text, "actionId" text, value ${t.json}, options ${t.json},
      state ${t.text}, "expiresAt" ${t.time}, ephemeral text, "replyId" ${t.idOrNull})`,
    'create index interaction_channel on interaction ("channelId")',
    'create index interaction_message on interaction ("messageId", "userId") where "messageId" is not null',
    'create index interaction_user on interaction ("userId", id)',
    'create index interaction_agent on interaction ("agentId", id)',
    'create index interaction_state on interaction ("serverId", state)',
    'create index interaction_created on interaction ("createdAt")',
    `create table command (${row} references server (id) on delete cascade, "agentId" ${t.id}, name ${t.text},
      "nameKey" ${t.text}, description ${t.text}, options ${t.json} not null, unique ("serverId", "nameKey"))`,
    'create index command_server on command ("serverId")',
    'create index command_agent on command ("agentId")',
  ];
};

export const isBackwardCompatible = true;
