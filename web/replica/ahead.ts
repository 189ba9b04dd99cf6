import type { Records } from './types.ts';

/** Messages of a window. */
export const PAGE = 50;

/** The server in the address, and the window of messages there: the latest, or those around a message. What did not come is undefined. */
export interface Ahead {
  server?: { id: string; snapshot: Promise<Records['Snapshot'] | undefined> };
  channel?: { id: string; around: string | undefined; view: Promise<Records['ChannelView'] | undefined> };
}

declare global {
  /** What `web/ahead.ts` has asked for, in the page of somebody who has a session. */
  var palaverAhead: (Ahead & { me: Promise<Records['Myself'] | undefined> }) | undefined;
}

/** Who is signed in, if that was asked for ahead and answered. */
export const meAhead = async (): Promise<Records['Myself'] | undefined> => globalThis.palaverAhead?.me;

/** What else was asked for ahead for this person. For the first session of the page: later it would be stale. */
export function takeAhead(userId: string): Ahead {
  const { server, channel } = globalThis.palaverAhead ?? {};
  globalThis.palaverAhead = undefined;
  if (!server) return {};
  const snapshot = server.snapshot.then((answer) => (answer?.user.id === userId ? answer : undefined));
  return { server: { ...server, snapshot }, ...(channel && { channel }) };
}
