import { useEffect } from 'react';
import { api } from '../../api/index.ts';
import { useEpoch, useSession } from '../../replica/hooks.ts';
import type { Session } from '../../replica/index.ts';
import type { Rows } from '../../replica/types.ts';

type Interaction = Rows['interaction'];

/** Maximum messages per request. */
const MOST = 100;
const WAIT_MS = 30;

/** The messages whose interactions were requested, by server and epoch. */
const askedBy = new WeakMap<Session, Map<string, Set<string>>>();

/** Loads the user's interactions with a message, batched with other messages that appear at the same time. */
export function useOwnInteractions(serverId: string, messageId: string, isWanted: boolean): void {
  const session = useSession();
  const epoch = useEpoch(serverId);
  useEffect(() => {
    if (isWanted) ask(session, serverId, epoch, messageId);
  }, [session, serverId, epoch, messageId, isWanted]);
}

const waiting = new Map<string, string[]>();

function ask(session: Session, serverId: string, epoch: number, messageId: string): void {
  const place = `${serverId} ${epoch}`;
  const byPlace = askedBy.get(session) ?? new Map<string, Set<string>>();
  askedBy.set(session, byPlace);
  const asked = byPlace.get(place) ?? new Set<string>();
  byPlace.set(place, asked);
  if (asked.has(messageId)) return;
  asked.add(messageId);
  const queue = waiting.get(place);
  if (queue) return void queue.push(messageId);
  const ids = [messageId];
  waiting.set(place, ids);
  setTimeout(() => {
    waiting.delete(place);
    for (let from = 0; from < ids.length; from += MOST)
      load(session, serverId, { messageIds: ids.slice(from, from + MOST).join(',') }).catch(() => {
        // Allows another request when these messages appear again.
        for (const id of ids.slice(from, from + MOST)) asked.delete(id);
      });
  }, WAIT_MS);
}

/** Loads the user's latest interactions. Rejects with PalaverError. */
export const load = (
  { actions }: Session,
  serverId: string,
  which: { messageIds?: string; channelId?: string },
) =>
  actions.load(
    () => api(serverId).interactions({ ...which, limit: MOST }),
    (interaction) => ({ interaction: [...interaction] }),
  );

/**
 * Uses an element of a block, or a command. Stores the interaction with the values that the response lacks.
 * Rejects with PalaverError.
 */
export const act = (
  { actions, replica }: Session,
  serverId: string,
  body: NonNullable<Parameters<ReturnType<typeof api>['interactionInsert']>[0]>,
): Promise<unknown> =>
  actions.load(
    () => api(serverId).interactionInsert(body),
    (row) => {
      const { value = null, options = null } = body;
      const known: Interaction = { ...row, value, options, ephemeral: null };
      return { interaction: [{ ...known, ...replica.row('interaction', row.id), ...row }] };
    },
  );
