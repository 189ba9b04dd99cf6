import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useDeferredValue,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { emoji as t } from '../../strings/en/conversation.ts';
import { typedAhead } from '../../ui/ahead.ts';
import { hasMouse, Icon } from '../../ui/index.ts';
import { useCustomEmoji } from './custom.tsx';
import { EmojiGroup, Glyph } from './EmojiGroup.tsx';
import { customOf, type Emoji, emojiBy, findEmoji, groups } from './find.ts';
import { GroupTabs } from './GroupTabs.tsx';
import { COLUMNS, move } from './grid.ts';
import { keepEmoji, recentEmoji } from './recent.ts';
import { Tones } from './Tones.tsx';
import { useTone } from './tone.ts';
import { type Tone, toned } from './toned.ts';

/** The number of the user's most used emoji shown: two rows. */
const RECENT = COLUMNS * 2;

interface PickerProps {
  serverId: string;
  onPick: (emoji: string) => void;
  onClose: () => void;
}

/** The content of the picker. The search field keeps the focus while the arrow keys select emoji. */
export default function Picker({ serverId, onPick, onClose }: PickerProps) {
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const [isKeyed, setKeyed] = useState(false);
  const words = useDeferredValue(typed);
  const tone = useTone();
  const gridId = useId();
  const field = useRef<HTMLInputElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  const customEmoji = useCustomEmoji(serverId);
  const custom = useMemo(() => customOf(customEmoji), [customEmoji]);
  const shown = useMemo(() => shownFor(words, custom), [words, custom]);
  const all = useMemo(() => shown.flatMap(({ emoji }) => emoji), [shown]);
  const current = all[active];
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls after an arrow key
  useEffect(() => {
    if (isKeyed) grid.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active, isKeyed]);

  const pick = (emoji: Emoji | undefined, staysOpen: boolean) => {
    if (!emoji) return;
    const text = inTone(emoji, tone);
    keepEmoji(text);
    onPick(text);
    if (!staysOpen) onClose();
  };
  // This is a layout effect, which runs before the next keystroke.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, on mount
  useLayoutEffect(() => {
    const { text, isSent } = typedAhead();
    if (isSent && text !== '') return pick(findEmoji(text, 1, custom)[0], false);
    setTyped(text);
    // On a phone, the keyboard would cover half of the picker.
    if (hasMouse() || text !== '') field.current?.focus();
  }, []);
  const keyed = (event: KeyboardEvent) => {
    if (event.key === 'Enter') pick(current, event.shiftKey);
    else {
      const next = move(event.key, active, shown, document.documentElement.dir === 'rtl');
      if (next === undefined) return;
      setActive(next);
      setKeyed(true);
    }
    event.preventDefault();
  };
  const toField = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
    if (target !== field.current && /^\S$/u.test(key) && !ctrlKey && !metaKey && !altKey)
      field.current?.focus();
  };
  const toGroup = (key: string) => {
    setTyped('');
    const show = () =>
      grid.current?.querySelector(`[data-group="${key}"]`)?.scrollIntoView({ block: 'start' });
    requestAnimationFrame(show);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: redirects letters typed on a button to the field
    <div className="emoji-picker-parts" onKeyDown={toField}>
      <div className="emoji-picker-search control">
        <Icon name="search" size={16} />
        <input
          ref={field}
          role="combobox"
          aria-expanded="true"
          aria-haspopup="grid"
          aria-controls={gridId}
          aria-activedescendant={current && `${gridId}-${active}`}
          aria-label={t.search}
          placeholder={t.search}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            setActive(0);
            grid.current?.scrollTo(0, 0);
          }}
          onKeyDown={keyed}
        />
      </div>
      <GroupTabs
        groups={['recent', ...(custom.length > 0 ? ['custom'] : []), ...groups.map(({ key }) => key)]}
        onSelect={toGroup}
      />
      <Grid
        {...{ grid, gridId, shown, active, tone }}
        onPoint={(at) => {
          setKeyed(false);
          setActive(at);
        }}
        onPick={(at, staysOpen) => pick(all[at], staysOpen)}
      />
      <p className="only-read" role="status">
        {words === '' ? '' : t.found({ count: all.length })}
      </p>
      <div className="emoji-picker-foot">
        <span className="tiny muted emoji-picker-name" aria-hidden="true">
          {current && (
            <span className="emoji-picker-glyph">
              <Glyph emoji={current} tone={tone} />
            </span>
          )}
          <bdi>{current?.name}</bdi>
        </span>
        <Tones />
      </div>
    </div>
  );
}

const inTone = ({ emoji, hasTones }: Emoji, tone: Tone): string => (hasTones ? toned(emoji, tone) : emoji);

interface GridProps {
  grid: RefObject<HTMLDivElement | null>;
  gridId: string;
  shown: ReturnType<typeof shownFor>;
  active: number;
  tone: Tone;
  /** Called when the mouse moves to another emoji. */
  onPoint: (at: number) => void;
  onPick: (at: number, staysOpen: boolean) => void;
}

function Grid({ grid, gridId, shown, active, tone, onPoint, onPick }: GridProps) {
  const cellOf = (event: MouseEvent): number | undefined => {
    const cell = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-at]') : null;
    return cell ? Number(cell.dataset.at) : undefined;
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
    // biome-ignore lint/a11y/useSemanticElements: a grid with arrow key navigation, not a table
    <div
      className="emoji-picker-grid"
      role="grid"
      id={gridId}
      ref={grid}
      aria-label={t.label}
      onMouseDown={(event) => event.preventDefault()}
      onMouseMove={(event) => {
        const at = cellOf(event);
        if (at !== undefined && at !== active) onPoint(at);
      }}
      onClick={(event) => {
        const at = cellOf(event);
        if (at !== undefined) onPick(at, event.shiftKey);
      }}
    >
      {shown.map(({ key, emoji, from }) => (
        <EmojiGroup
          key={key}
          groupKey={key}
          active={active >= from && active < from + emoji.length ? active : -1}
          {...{ emoji, from, gridId, tone }}
        />
      ))}
      {shown.length === 0 && (
        // biome-ignore-start lint/a11y: the grid's row for an empty result
        <div role="row">
          <div role="gridcell" className="emoji-picker-none">
            {t.none}
          </div>
        </div>
        // biome-ignore-end lint/a11y: as above
      )}
    </div>
  );
}

/** The search results, or all groups if `words` is empty. `from` is the index of a group's first emoji in the whole grid. */
function shownFor(words: string, custom: readonly Emoji[]) {
  const customBy = new Map(custom.map((one) => [one.emoji, one]));
  const recent = recentEmoji(RECENT, (text) => !text.startsWith(':') || customBy.has(text))
    .map((text) => customBy.get(text) ?? emojiBy(text))
    .filter((one) => one !== undefined);
  const parts: { key: string; emoji: readonly Emoji[] }[] =
    words.trim() === ''
      ? [{ key: 'recent', emoji: [...new Set(recent)] }, { key: 'custom', emoji: custom }, ...groups]
      : [{ key: 'found', emoji: findEmoji(words, 60, custom) }];
  let from = 0;
  return parts
    .filter(({ emoji }) => emoji.length > 0)
    .map((part) => {
      from += part.emoji.length;
      return { ...part, from: from - part.emoji.length };
    });
}
