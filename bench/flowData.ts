import { createKey } from '../server/src/cli/records/key.ts';
import { createServer } from '../server/src/cli/records/server.ts';
import { createUser } from '../server/src/cli/records/user.ts';
import type { FlowShape } from '../server/src/flows/shape.ts';
import { type DataConfig, openData } from '../server/src/node/data.ts';
import type { Work } from '../server/src/operations/work.ts';
import { change } from '../server/src/resources/change.ts';
import { addChannel } from '../server/src/resources/channel/change.ts';
import { addFlow } from '../server/src/resources/flow/saving.ts';
import { addRole } from '../server/src/resources/role.ts';
import { addAgent } from '../server/src/resources/secret/mint.ts';
import { inBatches } from './made.ts';
import { quick } from './report.ts';

const SERVERS = quick ? 100 : 1_000;
/** The number of flows per server that are not due for months. */
const IDLE = 99;
/** Servers per transaction. */
const BATCH_SERVERS = 10;

/** A server with flows, and the user and role that its flows act as. */
interface FlowServer {
  serverId: string;
  userId: string;
  channelId: string;
  identity: { userId: string; roleId: string; makerId: string };
}

/** Many servers with flows that are not due. */
export interface FlowServers {
  flows: number;
  servers: FlowServer[];
  /** A server with a flow that messages in the channel `pingId` trigger. The key may send to all channels. */
  bench: { key: string; flowId: string; pingId: string; quietId: string; answerId: string };
  neighbour: { channelId: string; keys: string[] };
}

export async function makeFlows(place: DataConfig): Promise<FlowServers> {
  const data = await openData(place);
  try {
    const owner = await change(data, (work) => createUser(work, { username: 'flows' }));
    const batches = { amount: SERVERS, size: BATCH_SERVERS };
    const servers = await inBatches(data, batches, (work) => makeServer(work, owner.id));
    const bench = await change(data, (work) => makeBench(work, owner.id));
    const neighbour = await change(data, (work) => makeNeighbour(work, owner.id));
    return { flows: SERVERS * IDLE + 1, servers, bench, neighbour };
  } finally {
    await data.db.close();
  }
}

/** Adds a flow to each server. The flow is due at these minutes of every hour. */
export async function addDue(
  place: DataConfig,
  servers: readonly FlowServer[],
  minutes: readonly number[],
): Promise<void> {
  const data = await openData(place);
  const cron = `${minutes.join(',')} * * * *`;
  try {
    await inBatches(data, { amount: servers.length, size: BATCH_SERVERS }, (work, number) =>
      addScheduled(work, servers[number] as FlowServer, cron),
    );
  } finally {
    await data.db.close();
  }
}

async function makeServer(work: Work, userId: string): Promise<FlowServer> {
  const { id: serverId } = await createServer(work, { name: 'Flows', owner: userId });
  const { id: channelId } = await addChannel(work, {
    serverId,
    name: 'news',
    creatorId: userId,
    roleIds: [],
  });
  const role = await addRole(work, { serverId, name: 'Flows', flags: ['canEditData', 'canViewData'] });
  const agentId = await addAgent(work, { serverId, name: 'Flows' });
  const identity = { userId: agentId, roleId: role.id, makerId: userId };
  const server = { serverId, userId, channelId, identity };
  for (let number = 0; number < IDLE; number++) await addScheduled(work, server, '0 0 29 2 *');
  return server;
}

const addScheduled = (work: Work, { channelId, ...server }: FlowServer, cron: string) =>
  add(work, server, {
    trigger: { on: 'schedule', cron, timeZone: 'UTC' },
    steps: [{ name: 'tell', do: 'message.send', channelId, content: 'A new hour' }],
  });

const add = (work: Work, { serverId, userId, identity }: Omit<FlowServer, 'channelId'>, shape: FlowShape) =>
  addFlow(
    work,
    { serverId, name: 'Flow', creatorId: userId, description: null, enabled: true },
    shape,
    identity,
  );

async function makeBench(work: Work, userId: string): Promise<FlowServers['bench']> {
  const server = await makeServer(work, userId);
  const channel = async (name: string) =>
    (await addChannel(work, { serverId: server.serverId, name, creatorId: userId, roleIds: [] })).id;
  const [pingId, quietId, answerId] = [
    await channel('ping'),
    await channel('quiet'),
    await channel('answer'),
  ];
  const { id: flowId } = await add(work, server, {
    trigger: {
      on: 'event',
      type: 'message.created',
      where: { path: 'event.data.channelId', equals: pingId },
    },
    steps: [
      { name: 'answer', do: 'message.send', channelId: answerId, content: 'pong {{event.data.content}}' },
      { name: 'mark', do: 'reaction.add', messageId: '{{steps.answer.output.id}}', emoji: '📣' },
      {
        name: 'edit',
        do: 'message.update',
        messageId: '{{steps.answer.output.id}}',
        content: 'done {{event.data.content}}',
      },
    ],
  } as FlowShape);
  const { key } = await createKey(work, { server: server.serverId, user: userId, flags: 'canAdmin' });
  return { key, flowId, pingId, quietId, answerId };
}

/** Creates a server with a channel, and keys for a well-behaved tenant. */
export async function makeNeighbour(work: Work, userId: string): Promise<FlowServers['neighbour']> {
  const { id: serverId } = await createServer(work, { name: 'Neighbour', owner: userId });
  const { id: channelId } = await addChannel(work, {
    serverId,
    name: 'talk',
    creatorId: userId,
    roleIds: [],
  });
  const keys: string[] = [];
  while (keys.length < 20) {
    const made = await createKey(work, { server: serverId, user: userId, flags: 'canEditData,canViewData' });
    keys.push(made.key);
  }
  return { channelId, keys };
}
