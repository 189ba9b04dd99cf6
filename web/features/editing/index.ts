import { onSignedOut } from '../../api/index.ts';
import { createStore } from '../../ui/index.ts';
import { keepInTab, keptInTab } from '../../ui/keptInTab.ts';

/** A message being edited, and its location. */
export interface Edited {
  readonly id: string;
  readonly serverId: string;
  readonly channelId: string;
  readonly threadId: string | null;
}

/** The part of the state that survives a reload. */
interface Kept {
  now?: Edited | undefined;
  begun: [string, string][];
}

const KEY = 'palaver-editing';
const kept = keptInTab<Kept>(KEY);
/** The message being edited. Only one can be edited at a time. */
const edited = createStore<Edited | undefined>(kept?.now);
/** Unsaved text by message id, kept when the rows are unmounted. */
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

/** Starts editing a message, which must be on the page. */
export const startEditing = ({ id, serverId, channelId, threadId }: Edited): void =>
  edit({ id, serverId, channelId, threadId });

/** Ends editing, whether the change was saved or not. */
export function stopEditing(messageId: string): void {
  begun.delete(messageId);
  edit(edited.get()?.id === messageId ? undefined : edited.get());
}

/** The message being edited. */
export const editedNow = (): Edited | undefined => edited.get();
export const useEdited = (): string | undefined => edited.use()?.id;
export const useEditing = (messageId: string): boolean => edited.use()?.id === messageId;

export function keepEdited(messageId: string, text: string): void {
  begun.set(messageId, text);
  keep();
}
export const editedText = (messageId: string): string | undefined => begun.get(messageId);
