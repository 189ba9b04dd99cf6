import { api } from '../../api/index.ts';
import type { Session } from '../../replica/index.ts';
import { createStore, toast } from '../../ui/index.ts';

type Wishes = ReadonlyMap<string, boolean>;

const none: Wishes = new Map();
const wishes = createStore<ReadonlyMap<string, Wishes>>(new Map());
/** Messages and emoji with a request in flight. */
const busy = new Set<string>();

/** A message's optimistic reactions that the replica does not have yet. Each emoji is on or off. */
export const useWishes = (messageId: string): Wishes => wishes.use().get(messageId) ?? none;

function wish(messageId: string, emoji: string, isOn: boolean | undefined): void {
  const all = new Map(wishes.get());
  const own = new Map(all.get(messageId));
  if (isOn === undefined) own.delete(emoji);
  else own.set(emoji, isOn);
  if (own.size > 0) all.set(messageId, own);
  else all.delete(messageId);
  wishes.set(all);
}

interface Target {
  messageId: string;
  serverId: string;
  emoji: string;
}

const rowOf = ({ replica }: Session, { messageId, emoji }: Target) =>
  replica.rows('reaction', 'messageId', messageId).find((row) => row.emoji === emoji);

/**
 * Toggles the user's reaction to a message optimistically. If the server rejects the change, it is reverted
 * and the reason is shown.
 */
export function toggleReaction(session: Session, target: Target): void {
  const { messageId, emoji } = target;
  const isOn = wishes.get().get(messageId)?.get(emoji) ?? rowOf(session, target) !== undefined;
  wish(messageId, emoji, !isOn);
  void settle(session, target);
}

/** Sends one request after another until the server has the last requested state. */
async function settle(session: Session, target: Target): Promise<void> {
  const { messageId, serverId, emoji } = target;
  const key = `${messageId} ${emoji}`;
  if (busy.has(key)) return;
  busy.add(key);
  const wanted = () => wishes.get().get(messageId)?.get(emoji);
  let id = rowOf(session, target)?.id;
  try {
    for (let isOn = wanted(); isOn !== undefined && isOn !== (id !== undefined); isOn = wanted()) {
      if (isOn) ({ id } = await api(serverId).reactionInsert({ messageId, emoji }));
      else if (id !== undefined) {
        await api(serverId).reactionDelete({ id });
        id = undefined;
      }
    }
    await shown(session, target, id !== undefined);
  } catch (error) {
    toast.error(error);
  } finally {
    busy.delete(key);
    wish(messageId, emoji, undefined);
  }
}

/**
 * Maximum time, in ms, to wait for the event of a change, which is late if the stream is down. Until then, the
 * optimistic state is shown.
 */
const LATE_MS = 20_000;

/** Resolves once the replica has the change, or after `LATE_MS`. */
function shown(session: Session, target: Target, isOn: boolean): Promise<void> {
  const isShown = () => (rowOf(session, target) !== undefined) === isOn;
  if (isShown()) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = () => {
      end();
      clearTimeout(timer);
      resolve();
    };
    const end = session.subscribe(`reaction@messageId=${target.messageId}`, () => {
      if (isShown()) stop();
    });
    const timer = setTimeout(stop, LATE_MS);
  });
}
