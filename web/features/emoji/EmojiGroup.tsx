import { memo } from 'react';
import { emoji as t } from '../../strings/en/conversation.ts';
import type { Emoji } from './find.ts';
import { COLUMNS } from './grid.ts';
import { type Tone, toned } from './toned.ts';

interface EmojiGroupProps {
  groupKey: string;
  emoji: readonly Emoji[];
  /** The place of its first emoji among all. */
  from: number;
  gridId: string;
  /** The place that the arrows have reached; -1 if it is in another group. */
  active: number;
  tone: Tone;
}

const titles: Record<string, string> = t.groups;

/** The emoji of a group in rows. Its rows are drawn by the browser only as they come into sight. */
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
      <div className="emoji-group-title" aria-hidden="true">
        {title}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a part of a grid that the arrows go over */}
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

/** The same row, unless the arrows have come or gone: `emoji` is cut anew each time. */
const isSame = (one: EmojiRowProps, other: EmojiRowProps): boolean =>
  one.active === other.active &&
  one.tone === other.tone &&
  one.from === other.from &&
  one.emoji.length === other.emoji.length &&
  one.emoji[0] === other.emoji[0] &&
  one.emoji.at(-1) === other.emoji.at(-1);

const EmojiRow = memo(function EmojiRow({ emoji, from, gridId, active, tone }: EmojiRowProps) {
  return (
    // biome-ignore-start lint/a11y: cells of a grid, whose focus stays in the field above
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
          {one.hasTones ? toned(one.emoji, tone) : one.emoji}
        </div>
      ))}
    </div>
    // biome-ignore-end lint/a11y: as above
  );
}, isSame);
