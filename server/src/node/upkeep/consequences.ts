import type { Consequences } from '../../db/removal.ts';
import type { RowOf } from '../../db/schema.ts';
import { find } from '../../db/statements.ts';
import type { Work } from '../../http/endpoint.ts';
import { consequencesOf } from '../../resources/message/hanging.ts';
import { releaseThreads } from '../../resources/thread.ts';
import { tellLoss } from '../../resources/userRole.ts';

export type Mark = RowOf<'sweep'>;

/** What a sweep does beside removing rows, by the noun that is gone: what the write would have done, had it had the time. */
export const consequences: Readonly<Record<Mark['noun'], (work: Work, mark: Mark) => Promise<Consequences>>> =
  {
    // What is in a channel goes without a word.
    channel: async () => ({}),
    message: async (work, mark) => ((await hasChannel(work, mark)) ? consequencesOf(work) : {}),
    role: async (work) => ({ removed: { userRole: (rows) => tellLoss(work, rows) } }),
    thread: async (work, mark) =>
      (await hasChannel(work, mark)) ? { release: (threads) => releaseThreads(work, threads) } : {},
  };

/** False once the channel is gone too, and its sweep takes all that is in it. */
const hasChannel = async ({ db }: Work, { channelId }: Mark): Promise<boolean> =>
  channelId !== null && (await db.first(find('channel', { id: channelId }))) !== undefined;
