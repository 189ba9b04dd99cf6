import { api, type Records } from '../../api/index.ts';
import type { LiveEvent } from '../../replica/types.ts';
import { createStore } from '../../ui/index.ts';

/** How one is shown to others: `invisible` shows as offline. */
export type OwnPresence = Records['OwnPresence'];
export type OwnStatus = OwnPresence['status'];

/** One's own presence; undefined until it is known. */
export const ownPresence = createStore<OwnPresence | undefined>(undefined);

/** Asks for one's own presence. */
export async function askOwn(): Promise<void> {
  ownPresence.set(await api('none').ownPresence({}));
}

/** Changes one's own presence, for all devices. Rejects with PalaverError. */
export async function saveOwn(changes: {
  status?: OwnStatus;
  text?: string | null;
  textUntil?: number | null;
}): Promise<void> {
  ownPresence.set(await api('none').presenceSave(changes));
}

/** Takes what another device has changed. One who is invisible, or is leaving, is told as offline. */
export function takeOwn(event: LiveEvent, userId: string | undefined): void {
  if (event.type !== 'presence.updated') return;
  const told = event.data.people.find((one) => one.userId === userId);
  const known = ownPresence.get();
  if (!told || !known) return;
  const status = told.status === 'offline' ? known.status : told.status;
  ownPresence.set({ ...known, status, text: told.text, textUntil: told.textUntil });
}
