import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useActions, useDraft } from '../../replica/hooks.ts';
import type { TimelineRef } from '../../replica/types.ts';
import { lengthOf } from './format.ts';

/** A user who typed within this time, in ms, is still writing, and their text must not change. */
const WRITING_MS = 4_000;
/**
 * Maximum length of a message in code points, as in the API. The number of remaining characters is shown near the
 * limit.
 */
export const MOST = 8_000;
export const NEAR = 500;

export interface WritingField {
  field: RefObject<HTMLTextAreaElement | null>;
  /** The initial text. The field is uncontrolled from then on. */
  first: string;
  /** True if the field contains only whitespace. */
  isBlank: boolean;
  /** The remaining length, capped at `NEAR`. */
  left: number;
  /** Call after each input by the user: saves the text as the draft, and sends a typing indicator. */
  typed(): void;
  /** Clears the field for a message that is being sent. Its text stays the draft until `settle` is called. */
  clear(): void;
  /** Called when the message is stored. The draft becomes the text typed since then. */
  settle(): void;
}

const leftOf = (text: string): number =>
  text.length < MOST / 2 ? NEAR : Math.min(NEAR, MOST - lengthOf(text));

/**
 * Fits a field's height to its text plus `borders` px, in browsers without `field-sizing`. The style limits
 * the height.
 */
export function fitHeight(area: HTMLTextAreaElement, borders = 0): void {
  if (CSS.supports('field-sizing', 'content')) return;
  area.style.blockSize = 'auto';
  area.style.blockSize = `${area.scrollHeight + borders}px`;
}

/**
 * A composer's text field. It is uncontrolled, so input methods are not disturbed, and keystrokes do not re-render it.
 * Each change is saved as the draft. A draft that changes elsewhere, on another device or because it was sent, is
 * shown unless the user is writing.
 */
export function useField(place: TimelineRef): WritingField {
  const { saveDraft, type } = useActions();
  const draft = useDraft(place);
  const field = useRef<HTMLTextAreaElement>(null);
  const [first] = useState(() => draft.read().content);
  const [isBlank, setBlank] = useState(first.trim() === '');
  const [left, setLeft] = useState(() => leftOf(first));
  /** The draft as this field last saw it. */
  const known = useRef(first);
  const typedAt = useRef(0);
  const isComposing = useRef(false);

  /** Updates the state for the field's new text. */
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
        // Updates the preview, because no input event is dispatched.
        area.dispatchEvent(new Event('change'));
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

  // In a narrow composer, a field with text is wider.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the field becomes blank or stops being blank
  useLayoutEffect(() => {
    if (field.current) fitHeight(field.current);
  }, [isBlank]);

  return { field, first, isBlank, left, typed, clear, settle };
}

/**
 * Shows a draft that was changed elsewhere, unless the user has typed within the last `restMs` ms and is
 * still writing.
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

/** Places the caret and tracks the composition state of input methods. */
function useComposing(field: WritingField['field'], isComposing: RefObject<boolean>): void {
  useLayoutEffect(() => {
    const area = field.current;
    if (!area) return;
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
