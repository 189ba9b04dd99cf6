import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useActions, useDraft } from '../../replica/hooks.ts';
import type { TimelineRef } from '../../replica/types.ts';
import { lengthOf } from './format.ts';

/** Somebody who has typed within this, in milliseconds, is writing: nothing changes under their hands. */
const WRITING_MS = 4_000;
/** The characters of a message, at most, as the API has it; how many are left is told near the end. */
export const MOST = 8_000;
export const NEAR = 500;

export interface WritingField {
  field: RefObject<HTMLTextAreaElement | null>;
  /** What was in the field at first. From then on the field itself has it. */
  first: string;
  /** Nothing but blanks is in the field. */
  isBlank: boolean;
  /** The characters that are left; `NEAR` for that and more. */
  left: number;
  /** Takes over what the person has typed. */
  typed(): void;
  /** Empties the field for a message that is being sent. Its text stays the draft until `settle`. */
  clear(): void;
  /** The message is stored: what has been typed since is the draft. */
  settle(): void;
}

const leftOf = (text: string): number =>
  text.length < MOST / 2 ? NEAR : Math.min(NEAR, MOST - lengthOf(text));

/**
 * Gives a field the height of its text, in browsers that do not do so by themselves, and so many px for its borders. The style has the
 * bounds.
 */
export function fitHeight(area: HTMLTextAreaElement, borders = 0): void {
  if (CSS.supports('field-sizing', 'content')) return;
  area.style.blockSize = 'auto';
  area.style.blockSize = `${area.scrollHeight + borders}px`;
}

/**
 * The text of a composer. The field of the page holds it, so that nothing disturbs an input method, and a key draws nothing anew;
 * each change is kept as the draft. A draft that another device, or a send, has changed shows here unless the person is writing.
 */
export function useField(place: TimelineRef): WritingField {
  const { saveDraft, type } = useActions();
  const draft = useDraft(place);
  const field = useRef<HTMLTextAreaElement>(null);
  const [first] = useState(() => draft.read().content);
  const [isBlank, setBlank] = useState(first.trim() === '');
  const [left, setLeft] = useState(() => leftOf(first));
  /** The draft as this field knows it. */
  const known = useRef(first);
  const typedAt = useRef(0);
  const isComposing = useRef(false);

  /** The field has this text now. */
  const note = useCallback((text: string) => {
    setBlank(text.trim() === '');
    setLeft(leftOf(text));
    if (field.current) fitHeight(field.current);
  }, []);
  const show = useCallback(
    (next: string) => {
      const area = field.current;
      if (area && area.value !== next) {
        area.value = next;
        area.setSelectionRange(next.length, next.length);
      }
      note(next);
    },
    [note],
  );

  useDraftFromElsewhere(draft, known, show, () => {
    if (document.activeElement !== field.current) return 0;
    const rest = typedAt.current + WRITING_MS - Date.now();
    return isComposing.current ? Math.max(rest, 1) : rest;
  });
  useComposing(field, isComposing);

  const keep = useCallback(
    (next: string) => {
      known.current = next;
      saveDraft(place, next);
      note(next);
    },
    [place, saveDraft, note],
  );

  const typed = useCallback(() => {
    const next = field.current?.value ?? '';
    typedAt.current = Date.now();
    keep(next);
    if (next.trim() !== '') type(place);
  }, [keep, place, type]);

  const clear = useCallback(() => {
    typedAt.current = 0;
    show('');
  }, [show]);

  const settle = useCallback(() => {
    if (field.current) keep(field.current.value);
  }, [keep]);

  return { field, first, isBlank, left, typed, clear, settle };
}

/**
 * Shows a draft that was changed elsewhere. `restMs` tells for how long the person is still taken to be writing: then nothing changes
 * under their hands.
 */
function useDraftFromElsewhere(
  draft: ReturnType<typeof useDraft>,
  known: RefObject<string>,
  show: (text: string) => void,
  restMs: () => number,
): void {
  const latest = useRef(restMs);
  latest.current = restMs;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const take = () => {
      clearTimeout(timer);
      const { content } = draft.read();
      if (content === known.current) return;
      const rest = latest.current();
      if (rest > 0) {
        timer = setTimeout(take, Math.max(rest, 500));
        return;
      }
      known.current = content;
      show(content);
    };
    take();
    const end = draft.follow(take);
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [draft, known, show]);
}

/** Places the caret, and notes when an input method begins and ends. */
function useComposing(field: WritingField['field'], isComposing: RefObject<boolean>): void {
  useLayoutEffect(() => {
    const area = field.current;
    if (!area) return;
    fitHeight(area);
    // One goes on where a draft ends.
    area.setSelectionRange(area.value.length, area.value.length);
    const begin = () => {
      isComposing.current = true;
    };
    const end = () => {
      isComposing.current = false;
    };
    area.addEventListener('compositionstart', begin);
    area.addEventListener('compositionend', end);
    return () => {
      area.removeEventListener('compositionstart', begin);
      area.removeEventListener('compositionend', end);
    };
  }, [field, isComposing]);
}
