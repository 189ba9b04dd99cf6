import { api, type Records } from '../../api/index.ts';
import type { LiveEvent } from '../../replica/types.ts';
import { createStore } from '../../ui/index.ts';

/** The user's own presence. To others, `invisible` appears as offline. */
export type OwnPresence = Records['OwnPresence'];
export type OwnStatus = OwnPresence['status'];

/** Undefined until loaded. */
export const ownPresence = createStore<OwnPresence | undefined>(undefined);

/** Loads the user's own presence. */
export async function askOwn(): Promise<void> {
  ownPresence.set(await api('none').ownPresence({}));
}

/** Changes the user's own presence on all devices. Rejects with PalaverError. */
export async function saveOwn(changes: {
  status?: OwnStatus;
  text?: string | null;
  textUntil?: number | null;
}): Promise<void> {
  ownPresence.set(await api('none').presenceSave(changes));
}

/**
 * Applies a change made on another device. Events report invisible users as offline, so that status is
 * ignored.
 */
export function takeOwn(event: LiveEvent, userId: string | undefined): void {
  if (event.type !== 'presence.updated') return;
  const told = event.data.people.find((one) => one.userId === userId);
  const known = ownPresence.get();
  if (!told || !known) return;
  const status = told.status === 'offline' ? known.status : told.status;
  ownPresence.set({ ...known, status, text: told.text, textUntil: told.textUntil });
}
