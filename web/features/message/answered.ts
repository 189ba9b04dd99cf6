import { useEffect, useState } from 'react';
import { api, onSignedOut, PalaverError, type Records } from '../../api/index.ts';
import { useConnection, useRow, useSession } from '../../replica/hooks.ts';
import type { Session } from '../../replica/index.ts';

/** Messages that are deleted, or that the user cannot see. */
const gone = new Set<string>();
onSignedOut(() => gone.clear());
const underWay = new Map<string, Promise<void>>();
/** How many reads may run at once. Others are queued. */
const MOST_AT_ONCE = 2;
const queue: (() => void)[] = [];
let busy = 0;

/** The message that was replied to, or its state. */
export type Answered = Records['ShownMessage'] | 'loading' | 'gone';

/**
 * The message that another one replies to. If it is not cached, it is loaded once its preview is visible
 * (`isSeen`).
 */
export function useAnswered(serverId: string, messageId: string, isSeen: boolean): Answered {
  const session = useSession();
  const message = useRow('message', messageId);
  // A failed read is retried after a reconnect.
  const { status } = useConnection();
  const [, setRead] = useState(0);
  const isMissing = message === undefined && !gone.has(messageId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: also runs when the connection changes
  useEffect(() => {
    if (isMissing && isSeen) void read(session, serverId, messageId).then(() => setRead((now) => now + 1));
  }, [isMissing, isSeen, session, serverId, messageId, status]);
  return message ?? (gone.has(messageId) ? 'gone' : 'loading');
}

function read(session: Session, serverId: string, messageId: string): Promise<void> {
  const known = underWay.get(messageId);
  if (known) return known;
  const reading = turn(() =>
    session.actions.load(
      () => api(serverId).messageById({ messageId, expand: 'creator' }),
      ({ expanded, ...message }) => ({ message: [message], user: Object.values(expanded?.users ?? {}) }),
    ),
  )
    .then(
      () => undefined,
      (error) => {
        if (error instanceof PalaverError && (error.status === 404 || error.status === 403))
          gone.add(messageId);
      },
    )
    .finally(() => underWay.delete(messageId));
  underWay.set(messageId, reading);
  return reading;
}

/** Runs the function once a slot is free. */
async function turn<T>(run: () => Promise<T>): Promise<T> {
  if (busy >= MOST_AT_ONCE) await new Promise<void>((go) => queue.push(go));
  busy++;
  try {
    return await run();
  } finally {
    busy--;
    queue.shift()?.();
  }
}
