import { setTimeout as sleep } from 'node:timers/promises';
import { createKey } from '../server/src/cli/records/key.ts';
import { change } from '../server/src/resources/change.ts';
import type { Asked } from '../test/support/everyOperation.ts';
import type { Random } from '../test/support/seeded.ts';
import type { Requests } from './crowd/requests.ts';
import { inBatches } from './made.ts';
import { waitedMs } from './processes.ts';
import { CONTENT, percentile } from './report.ts';
import { openStage, type Stage } from './stage.ts';

/** The number of keys created per transaction. */
const BATCH_KEYS = 50;

/** Durations in milliseconds. */
export interface Times {
  p50: number;
  p99: number;
  /** The 99th percentile, without the time that the node or this process waited for a core. */
  net: number;
  longest: number;
  requests: number;
}

/** Sends requests to a node at a fixed rate, whether or not earlier ones have completed, until a promise settles. */
export async function steady(
  { requests, pid }: { requests: Requests; pid: number },
  perSecond: number,
  next: () => Asked,
  until: Promise<unknown>,
): Promise<Times> {
  const sent: Promise<{ ms: number; net: number }>[] = [];
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  until.then(over, over);
  for (const start = performance.now(); !isOver; ) {
    await sleep(Math.max(0, start + (sent.length * 1_000) / perSecond - performance.now()));
    const waited = { node: waitedMs(pid), own: waitedMs('self') };
    const answer = requests.succeed(next()).then(({ ms }) => {
      const lost = Math.max(waitedMs(pid) - waited.node, waitedMs('self') - waited.own);
      return { ms, net: Math.max(0, ms - lost) };
    });
    sent.push(answer);
  }
  const [answers] = await Promise.all([Promise.all(sent), until]);
  const times = answers.map(({ ms }) => ms);
  const net = answers.map((answer) => answer.net);
  return {
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    net: percentile(net, 0.99),
    longest: times.reduce((longest, ms) => Math.max(longest, ms), 0),
    requests: times.length,
  };
}

export const shown = ({ p50, p99, net }: Times): string =>
  [p50, p99, net].map((ms) => ms.toFixed(1)).join(' / ');

/** Creates keys on a stage, each for a different person. */
export async function giveKeys(stage: Stage, amount: number): Promise<string[]> {
  const data = await openStage(stage);
  const { serverId } = stage.made.large;
  const flags = 'canEditData,canViewData';
  try {
    return await inBatches(data, { amount, size: BATCH_KEYS }, async (work, number) => {
      const user = stage.people[number]?.id as string;
      return (await createKey(work, { server: serverId, user, flags })).key;
    });
  } finally {
    await data.db.close();
  }
}

/** Creates an admin's key. */
export async function giveAdminKey(stage: Stage): Promise<string> {
  const data = await openStage(stage);
  const of = { server: stage.made.large.serverId, user: stage.made.user.id, flags: 'canAdmin' };
  try {
    return (await change(data, (work) => createKey(work, of))).key;
  } finally {
    await data.db.close();
  }
}

export const sendTo = (channelId: string, headers: Record<string, string>): Asked => ({
  ...{ method: 'POST', path: '/api/v1/messages', headers },
  body: { channelId, content: CONTENT },
});

/** A request of a mix: 40 % pages, 40 % sends, 10 % searches and 10 % lists of channels. */
export function mixed({ channelIds, made }: Stage, headers: Record<string, string>, random: Random): Asked {
  const channelId = random.pick(channelIds);
  const drawn = random.below(10);
  if (drawn < 4) return { path: `/api/v1/channels/${channelId}/messages`, headers };
  if (drawn < 8) return sendTo(channelId, headers);
  const server = `/api/v1/servers/${made.large.serverId}`;
  return { path: drawn === 8 ? `${server}/messages?q=rain` : `${server}/channels`, headers };
}
