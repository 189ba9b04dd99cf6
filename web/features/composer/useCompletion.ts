import { type KeyboardEvent, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useActions, useSession } from '../../replica/hooks.ts';
import {
  type CustomEmoji,
  customEmojiIn,
  keepEmoji,
  loadEmoji,
  pictureOf,
  toned,
  toneNow,
} from '../emoji/index.ts';
import { type Candidate, channelsFor, emojiFor, membersFor } from './candidates.ts';
import { askFor, isKnown } from './people.ts';
import { insertIn } from './replaceIn.ts';
import { closedCode, type Word, wordAt } from './word.ts';

const loadCommands = () => import('./commands/index.ts');

/** Debounce for member requests, in ms. */
const REST_MS = 150;

/** The autocompletion of the word at the caret. */
export interface Completion {
  /** Empty if the list is closed. */
  candidates: readonly Candidate[];
  at: number;
  mark: Word['mark'] | undefined;
  /** Updates the word after each input, and when the caret moves. */
  look(): void;
  /** Handles keys while the list is open. Returns true if the key was handled. */
  keyed(event: KeyboardEvent): boolean;
  choose(at: number): void;
  point(at: number): void;
  close(): void;
}

const nothing: readonly Candidate[] = [];

interface Where {
  serverId: string;
  placeId: string;
}

/** Completes `@` users, `#` channels, `:` emoji and `/` commands in a text field. */
export function useCompletion(field: RefObject<HTMLTextAreaElement | null>, where: Where): Completion {
  const session = useSession();
  const { candidates, at, show, point, clear } = useChoices();
  const [word, setWord] = useState<Word>();
  /**
   * The position of the mark whose list was closed with Escape. The list stays closed until the word ends.
   */
  const closed = useRef<number>(undefined);
  const latest = useRef<Word>(undefined);
  const search = useSearch(where, latest, show);

  const close = useCallback(() => {
    latest.current = undefined;
    search.stop();
    setWord(undefined);
    clear();
  }, [search, clear]);

  const look = useCallback(() => {
    const area = field.current;
    if (!area || area.selectionStart !== area.selectionEnd) return close();
    const { value, selectionStart: caret } = area;
    if (latest.current?.mark === ':') void replaceCode(area, customEmojiIn(session, where.serverId));
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
    search.start(next);
  }, [field, close, search, session, where.serverId]);

  const choose = useCallback(
    (chosen: number) => {
      const candidate = candidates[chosen];
      const area = field.current;
      if (!candidate || !word || !area) return;
      close();
      const hasSpace = /^\s/.test(area.value.slice(word.to)) || /^[^@#:].*:$/.test(candidate.insert);
      put(area, word.from, word.to, `${candidate.insert}${hasSpace ? '' : ' '}`);
      if (word.mark === ':') keepEmoji(candidate.insert);
    },
    [candidates, word, close, field],
  );

  const keyed = useCallback(
    (event: KeyboardEvent): boolean => {
      const { length } = candidates;
      if (length === 0 || event.ctrlKey || event.metaKey || event.altKey) return false;
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

type Show = (found: readonly Candidate[], keepsChoice: boolean) => void;

/** The candidates, and the active one. */
function useChoices() {
  const [{ candidates, at }, setList] = useState({ candidates: nothing, at: 0 });
  const show: Show = useCallback((found, keepsChoice) => {
    setList((before) => {
      // Keeps the same candidate active when more arrive.
      const key = keepsChoice && before.at > 0 ? before.candidates[before.at]?.key : undefined;
      const same = found.findIndex((one) => one.key === key);
      return { candidates: found, at: Math.max(0, same) };
    });
  }, []);
  const point = useCallback((next: number) => setList((before) => ({ ...before, at: next })), []);
  const clear = useCallback(
    () => setList((before) => (before.candidates === nothing ? before : { candidates: nothing, at: 0 })),
    [],
  );
  return { candidates, at, show, point, clear };
}

/** Finds completions: cached ones immediately, and users from the server after a debounce. */
function useSearch({ serverId, placeId }: Where, latest: RefObject<Word | undefined>, show: Show) {
  const session = useSession();
  const { load } = useActions();
  const search = useMemo(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = () => clearTimeout(timer);

    async function find(next: Word, keepsChoice: boolean): Promise<void> {
      if (next.mark === '@') {
        const areKnown = keepsChoice || isKnown(serverId, next.typed);
        show(membersFor(session, { serverId, placeId }, next.typed, areKnown), keepsChoice);
      } else if (next.mark === '#') show(channelsFor(session, serverId, next.typed), keepsChoice);
      else if (next.mark === '/') {
        const found = await loadCommands().then(({ completionsOf }) => completionsOf(session, placeId, next));
        if (latest.current === next) show(found, false);
      } else {
        const { customOf, findEmoji } = await loadEmoji();
        const custom = customOf(customEmojiIn(session, serverId));
        if (latest.current === next)
          show(emojiFor(findEmoji(next.typed, 20, custom), next.typed), keepsChoice);
      }
    }

    function start(next: Word): void {
      // Without a connection, commands are not completed.
      find(next, false).catch(() => undefined);
      stop();
      if (next.mark !== '@' || isKnown(serverId, next.typed)) return;
      timer = setTimeout(() => {
        askFor(load, serverId, next.typed).then(
          () => {
            if (latest.current === next) void find(next, true);
          },
          // If the request fails, cached users are still offered.
          () => undefined,
        );
      }, REST_MS);
    }

    return { start, stop };
  }, [session, load, serverId, placeId, latest, show]);
  useEffect(() => search.stop, [search]);
  return search;
}

function put(area: HTMLTextAreaElement, from: number, to: number, insert: string): void {
  area.focus();
  insertIn(area, insert, from, to);
}

/** Replaces a complete shortcode before the caret, such as `:tada:`, with its emoji. A custom emoji keeps its name. */
async function replaceCode(area: HTMLTextAreaElement, custom: CustomEmoji): Promise<void> {
  const { value, selectionStart: to } = area;
  const closed = closedCode(value, to);
  if (!closed || pictureOf(custom, closed.code)) return;
  const { findEmoji } = await loadEmoji();
  const found = findEmoji(closed.code, 5).find(({ words }) => words.includes(closed.code));
  if (!found || area.selectionStart !== to || area.value !== value) return;
  put(area, closed.from, to, found.hasTones ? toned(found.emoji, toneNow()) : found.emoji);
}
