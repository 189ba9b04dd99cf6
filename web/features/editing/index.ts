import { onSignedOut } from '../../api/index.ts';
import { createStore } from '../../ui/index.ts';
import { keepInTab, keptInTab } from '../../ui/keptInTab.ts';

/** A message that is being edited, and its place. */
export interface Edited {
  readonly id: string;
  readonly serverId: string;
  readonly channelId: string;
  readonly threadId: string | null;
}

/** What the person is changing. It outlives a reload of the tab. */
interface Kept {
  now?: Edited | undefined;
  begun: [string, string][];
}

const KEY = 'palaver-editing';
const kept = keptInTab<Kept>(KEY);
/** The message that is being edited; one at a time. */
const edited = createStore<Edited | undefined>(kept?.now);
/** Texts that were begun and not saved, so that nothing is lost when their row goes out of the page. */
const begun = new Map<string, string>(kept?.begun);

function keep(): void {
  const now = edited.get();
  keepInTab(KEY, now === undefined && begun.size === 0 ? undefined : { now, begun: [...begun] });
}

function edit(next: Edited | undefined): void {
  edited.set(next);
  keep();
}

onSignedOut(() => {
  begun.clear();
  edit(undefined);
});

/** Shows a message of the page as a field. */
export const startEditing = ({ id, serverId, channelId, threadId }: Edited): void =>
  edit({ id, serverId, channelId, threadId });

/** Ends it, saved or not. */
export function stopEditing(messageId: string): void {
  begun.delete(messageId);
  edit(edited.get()?.id === messageId ? undefined : edited.get());
}

/** The message that shows as a field. */
export const editedNow = (): Edited | undefined => edited.get();
export const useEdited = (): string | undefined => edited.use()?.id;
export const useEditing = (messageId: string): boolean => edited.use()?.id === messageId;

export function keepEdited(messageId: string, text: string): void {
  begun.set(messageId, text);
  keep();
}
export const editedText = (messageId: string): string | undefined => begun.get(messageId);
