import { createStore } from '../../../ui/index.ts';

/** The message that is being edited; one at a time. */
const edited = createStore<string | undefined>(undefined);
/** Texts that were begun and not saved, so that nothing is lost when their row goes out of the page. */
const begun = new Map<string, string>();

/** Shows a message of the page as a field. */
export const startEditing = (messageId: string): void => edited.set(messageId);

/** Ends it, saved or not. */
export function stopEditing(messageId: string): void {
  begun.delete(messageId);
  if (edited.get() === messageId) edited.set(undefined);
}

export const useEditing = (messageId: string): boolean => edited.use() === messageId;

export const keepEdited = (messageId: string, text: string): void => void begun.set(messageId, text);
export const editedText = (messageId: string): string | undefined => begun.get(messageId);
