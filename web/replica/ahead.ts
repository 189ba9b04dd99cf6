import { withSafeNames } from '../api/names.ts';
import type { Records } from './types.ts';

/** Messages per window. */
export const PAGE = 50;

/**
 * Reads that started before the session: the snapshot of the server in the URL, and the messages of the channel
 * (the latest, or those around a message). A failed read resolves with undefined.
 */
export interface Ahead {
  server?: { id: string; snapshot: Promise<Records['Snapshot'] | undefined> };
  channel?: { id: string; around: string | undefined; view: Promise<Records['ChannelView'] | undefined> };
}

declare global {
  /** The reads that `web/ahead.ts` started, if the page has a session. */
  var palaverAhead: (Ahead & { me: Promise<Records['Myself'] | undefined> }) | undefined;
}

/** The signed-in user, if that read was started early and succeeded. */
export const meAhead = async (): Promise<Records['Myself'] | undefined> =>
  withSafeNames(await globalThis.palaverAhead?.me);

/**
 * All reads that were started early for this user, except `meAhead`. Only the page's first session gets them:
 * for later sessions they would be stale.
 */
export function takeAhead(userId: string): Ahead {
  const { server, channel } = globalThis.palaverAhead ?? {};
  globalThis.palaverAhead = undefined;
  if (!server) return {};
  const snapshot = server.snapshot.then((answer) =>
    answer?.user.id === userId ? withSafeNames(answer) : undefined,
  );
  return {
    server: { ...server, snapshot },
    ...(channel && { channel: { ...channel, view: channel.view.then(withSafeNames) } }),
  };
}
