import { onSignedOut } from '../../../api/index.ts';
import { createStore } from '../../../ui/index.ts';
import { keepInTab, keptInTab } from '../../../ui/keptInTab.ts';

/** What the person is changing. It outlives a reload of the tab. */
interface Kept {
  id?: string | undefined;
  begun: [string, string][];
}

const KEY = 'palaver-editing';
const kept = keptInTab<Kept>(KEY);
/** The message that is being edited; one at a time. */
const edited = createStore<string | undefined>(kept?.id);
/** Texts that were begun and not saved, so that nothing is lost when their row goes out of the page. */
const begun = new Map<string, string>(kept?.begun);

function keep(): void {
  const id = edited.get();
  keepInTab(KEY, id === undefined && begun.size === 0 ? undefined : { id, begun: [...begun] });
}

function edit(id: string | undefined): void {
  edited.set(id);
  keep();
}

onSignedOut(() => {
  begun.clear();
  edit(undefined);
});

/** Shows a message of the page as a field. */
export const startEditing = (messageId: string): void => edit(messageId);

/** Ends it, saved or not. */
export function stopEditing(messageId: string): void {
  begun.delete(messageId);
  edit(edited.get() === messageId ? undefined : edited.get());
}

/** The message that shows as a field. */
export const useEdited = (): string | undefined => edited.use();
export const useEditing = (messageId: string): boolean => edited.use() === messageId;

export function keepEdited(messageId: string, text: string): void {
  begun.set(messageId, text);
  keep();
}
export const editedText = (messageId: string): string | undefined => begun.get(messageId);
