import { type KeyboardEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useActions, useSession } from '../../replica/hooks.ts';
import { keepEmoji, loadEmoji, toned, toneNow } from '../emoji/index.ts';
import { type Candidate, channelsFor, emojiFor, people } from './candidates.ts';
import { askFor, isKnown } from './people.ts';
import { replaceIn } from './replaceIn.ts';
import { closedCode, type Word, wordAt } from './word.ts';

/** The pause in typing after which members are asked for, in milliseconds. */
const REST_MS = 150;

/** What completes the word at the caret. */
export interface Completion {
  /** Empty: there is nothing to choose from. */
  candidates: readonly Candidate[];
  at: number;
  mark: Word['mark'] | undefined;
  /** Looks again at the word: after each input, and when the caret has moved. */
  look(): void;
  /** Takes the keys of an open list. True if the key is done with. */
  keyed(event: KeyboardEvent): boolean;
  choose(at: number): void;
  point(at: number): void;
  close(): void;
}

const nothing: readonly Candidate[] = [];

/** Completes `@` people, `#` channels and `:` emoji in a field. */
export function useCompletion(
  field: RefObject<HTMLTextAreaElement | null>,
  { serverId, placeId }: { serverId: string; placeId: string },
): Completion {
  const session = useSession();
  const { load } = useActions();
  const [word, setWord] = useState<Word>();
  const [{ candidates, at }, setList] = useState({ candidates: nothing, at: 0 });
  /** The mark of a list that Escape has closed: it stays closed until its word ends. */
  const closed = useRef<number>(undefined);
  const latest = useRef<Word>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const show = useCallback((found: readonly Candidate[], keepsChoice: boolean) => {
    setList((before) => {
      // The one that is chosen stays so when more come in.
      const key = keepsChoice && before.at > 0 ? before.candidates[before.at]?.key : undefined;
      const same = found.findIndex((one) => one.key === key);
      return { candidates: found, at: Math.max(0, same) };
    });
  }, []);
  const point = useCallback((next: number) => setList((before) => ({ ...before, at: next })), []);

  const close = useCallback(() => {
    latest.current = undefined;
    clearTimeout(timer.current);
    setWord(undefined);
    setList((before) => (before.candidates === nothing ? before : { candidates: nothing, at: 0 }));
  }, []);

  const find = useCallback(
    async (next: Word, keepsChoice: boolean) => {
      if (next.mark === '@') show(people(session, serverId, placeId, next.typed), keepsChoice);
      else if (next.mark === '#') show(channelsFor(session, serverId, next.typed), keepsChoice);
      else {
        const { findEmoji } = await loadEmoji();
        if (latest.current === next) show(emojiFor(findEmoji(next.typed, 20)), keepsChoice);
      }
    },
    [session, serverId, placeId, show],
  );

  const put = useCallback(
    (from: number, to: number, insert: string) => {
      const area = field.current;
      if (!area) return;
      area.focus();
      const end = from + insert.length;
      replaceIn(area, { from, to, insert, start: end, end });
    },
    [field],
  );

  const look = useCallback(() => {
    const area = field.current;
    if (!area || area.selectionStart !== area.selectionEnd) return close();
    const { value, selectionStart: caret } = area;
    const code = closedCode(value, caret);
    if (code && latest.current?.mark === ':') void replaceCode(code, caret);
    const next = wordAt(value, caret);
    if (!next) {
      closed.current = undefined;
      return close();
    }
    if (closed.current === next.from) return;
    const isSame = next.from === latest.current?.from && next.typed === latest.current.typed;
    if (isSame) return;
    latest.current = next;
    setWord(next);
    void find(next, false);
    clearTimeout(timer.current);
    if (next.mark !== '@' || isKnown(serverId, next.typed)) return;
    timer.current = setTimeout(() => {
      askFor(load, serverId, next.typed).then(
        () => {
          if (latest.current === next) void find(next, true);
        },
        // Those who are known are offered all the same.
        () => undefined,
      );
    }, REST_MS);

    async function replaceCode({ code, from }: { code: string; from: number }, to: number) {
      const { findEmoji } = await loadEmoji();
      const found = findEmoji(code, 5).find(({ words }) => words.includes(code));
      if (!found || area?.selectionStart !== to || area.value !== value) return;
      put(from, to, found.hasTones ? toned(found.emoji, toneNow()) : found.emoji);
    }
  }, [field, close, find, load, put, serverId]);

  const choose = useCallback(
    (chosen: number) => {
      const candidate = candidates[chosen];
      if (!candidate || !word) return;
      close();
      const rest = field.current?.value.slice(word.to) ?? '';
      put(word.from, word.to, `${candidate.insert}${/^\s/.test(rest) ? '' : ' '}`);
      if (word.mark === ':') keepEmoji(candidate.insert);
    },
    [candidates, word, close, field, put],
  );

  const keyed = useCallback(
    (event: KeyboardEvent): boolean => {
      const { length } = candidates;
      if (length === 0 || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey)
        return false;
      if (event.key === 'ArrowDown') point((at + 1) % length);
      else if (event.key === 'ArrowUp') point((at + length - 1) % length);
      else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) choose(at);
      else if (event.key === 'Escape') {
        closed.current = word?.from;
        close();
      } else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
    [candidates, at, word, choose, close, point],
  );

  return { candidates, at, mark: word?.mark, look, keyed, choose, point, close };
}
