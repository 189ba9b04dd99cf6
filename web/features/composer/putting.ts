import { type RefObject, useLayoutEffect } from 'react';
import type { Records } from '../../api/records.ts';
import { createStore } from '../../ui/index.ts';
import { insertIn } from './replaceIn.ts';

/**
 * The text to insert into the field of a channel or thread. `count` distinguishes requests with the same
 * text.
 */
const wanted = createStore({ place: '', text: '', count: 0 });

/** Appends text to the field of a channel or thread, and focuses it. */
export const putInto = (place: string, text: string): void =>
  wanted.set({ place, text, count: wanted.get().count + 1 });

/** Focuses the field of the open channel. */
export const focusField = (): void => document.querySelector<HTMLElement>('.composer-field')?.focus();

/** Quotes a message, or the selected part of it, in its channel or thread. */
export function quote({ id, channelId, threadId, content }: Records['ShownMessage']): void {
  const selection = getSelection();
  const row = selection?.anchorNode?.parentElement?.closest('[data-message]');
  const isInside = row instanceof HTMLElement && row.dataset.message === id;
  const chosen = isInside && row.contains(selection?.focusNode ?? null) ? `${selection}`.trim() : '';
  putInto(threadId ?? channelId, `${(chosen || content).replaceAll(/^/gm, '> ')}\n\n`);
}

/** Inserts the text that was requested for this channel or thread. */
export function usePut(field: RefObject<HTMLTextAreaElement | null>, placeId: string): void {
  const { place, text, count } = wanted.use();
  // Runs before the next key.
  // biome-ignore lint/correctness/useExhaustiveDependencies: inserts each text once, and none requested before the field existed
  useLayoutEffect(() => {
    const area = field.current;
    if (!area || place !== placeId || text === '') return;
    wanted.set({ place: '', text: '', count });
    area.focus();
    const from = area.value.length;
    const insert = from > 0 && !area.value.endsWith('\n') ? `\n${text}` : text;
    insertIn(area, insert, from, from);
  }, [count, placeId]);
}
