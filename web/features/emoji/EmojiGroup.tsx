import { memo } from 'react';
import { emoji as t } from '../../strings/en/conversation.ts';
import { CustomPicture } from './custom.tsx';
import type { Emoji } from './find.ts';
import { COLUMNS } from './grid.ts';
import { type Tone, toned } from './toned.ts';

/** An emoji in the chosen skin tone, or the picture of a custom one. */
export const Glyph = ({ emoji: { emoji, hasTones, url }, tone }: { emoji: Emoji; tone: Tone }) =>
  url ? <CustomPicture text={emoji} url={url} /> : hasTones ? toned(emoji, tone) : emoji;

interface EmojiGroupProps {
  groupKey: string;
  emoji: readonly Emoji[];
  /** The index of the group's first emoji in the whole grid. */
  from: number;
  gridId: string;
  /** The index selected with the arrow keys; -1 if it is in another group. */
  active: number;
  tone: Tone;
}

const titles: Record<string, string> = t.groups;

/** A group of emoji in rows, which the browser renders only once they become visible. */
export const EmojiGroup = memo(function EmojiGroup({
  groupKey,
  emoji,
  from,
  gridId,
  active,
  tone,
}: EmojiGroupProps) {
  const rows = Array.from({ length: Math.ceil(emoji.length / COLUMNS) }, (_, row) => row * COLUMNS);
  const title = titles[groupKey] ?? '';
  return (
    <div className="emoji-group" data-group={groupKey}>
      <div className="tiny muted emoji-group-title" aria-hidden="true">
        {title}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: part of a grid with arrow key navigation */}
      <div
        className="emoji-group-rows"
        role="rowgroup"
        aria-label={title}
        style={{ '--rows': rows.length } as Record<string, number>}
      >
        {rows.map((start) => (
          <EmojiRow
            key={start}
            emoji={emoji.slice(start, start + COLUMNS)}
            from={from + start}
            gridId={gridId}
            active={active >= from + start && active < from + start + COLUMNS ? active : -1}
            tone={tone}
          />
        ))}
      </div>
    </div>
  );
});

type EmojiRowProps = Omit<EmojiGroupProps, 'groupKey'>;

/** Compares the length and both ends of `emoji`, because it is a new slice on every render. */
const isSame = (one: EmojiRowProps, other: EmojiRowProps): boolean =>
  one.active === other.active &&
  one.tone === other.tone &&
  one.from === other.from &&
  one.emoji.length === other.emoji.length &&
  one.emoji[0] === other.emoji[0] &&
  one.emoji.at(-1) === other.emoji.at(-1);

const EmojiRow = memo(function EmojiRow({ emoji, from, gridId, active, tone }: EmojiRowProps) {
  return (
    // biome-ignore-start lint/a11y: grid cells; the focus stays in the input
    <div className="emoji-row" role="row">
      {emoji.map((one, index) => (
        <div
          key={one.emoji}
          id={`${gridId}-${from + index}`}
          role="gridcell"
          className="emoji-cell"
          aria-label={one.name}
          aria-selected={from + index === active}
          data-at={from + index}
        >
          <Glyph emoji={one} tone={tone} />
        </div>
      ))}
    </div>
    // biome-ignore-end lint/a11y: as above
  );
}, isSame);
