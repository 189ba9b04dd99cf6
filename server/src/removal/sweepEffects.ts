import type { RemovalEffects } from '../db/removal.ts';
import type { RowOf } from '../db/schema.ts';
import { find } from '../db/statements.ts';
import type { Work } from '../operations/work.ts';
import { effectsOfMember, effectsOfMessage, effectsOfRole } from '../resources/removalEffects.ts';
import { releaseThreads } from '../resources/thread/change.ts';
import { sweepGroupMention } from './groupMentionSweep.ts';
import { sweepProfile } from './profileSweep.ts';
import { sweepServer } from './serverSweep.ts';

type Mark = RowOf<'sweep'>;
/** The nouns whose sweeps do more than delete dependents. */
type Whole = keyof typeof wholeSweeps;

/** Sweeps that make their own writes. Each call makes one write, and returns true once nothing is left. */
export const wholeSweeps = {
  groupMention: sweepGroupMention,
  keywordList: sweepGroupMention,
  server: sweepServer,
  user: sweepProfile,
};

/**
 * The side effects of sweeping rows, by the noun of the deleted row. They are the same as those of the write
 * that deleted the row. Rows in a deleted channel are removed without events.
 */
export const sweepEffects: Readonly<
  Record<Exclude<Mark['noun'], Whole>, (work: Work, mark: Mark) => Promise<RemovalEffects>>
> = {
  channel: async () => ({}),
  message: async (work, mark) => ((await hasChannel(work, mark)) ? effectsOfMessage(work) : {}),
  role: async (work) => effectsOfRole(work),
  serverMember: async (work) => effectsOfMember(work),
  thread: async (work, mark) =>
    (await hasChannel(work, mark)) ? { release: (threads) => releaseThreads(work, threads) } : {},
};

/** Whether the channel still exists. If it was also deleted, its own sweep deletes everything in it. */
const hasChannel = async ({ db }: Work, { channelId }: Mark): Promise<boolean> =>
  channelId !== null && (await db.first(find('channel', { id: channelId }))) !== undefined;
