import { memo, useRef, useState } from 'react';
import { conversation as t } from '../../strings/en/conversation.ts';
import { day } from '../../strings/format.ts';
import { Icon } from '../../ui/index.ts';
import { Calendar } from '../date/index.tsx';

interface DaySeparatorProps {
  /** The day, in ms since the Unix epoch. */
  at: number;
  /** The earliest selectable day, in ms since the Unix epoch. */
  since: number;
  onDate: (at: number) => void;
}

/** A date separator. It sticks to the top while messages of that day are in view, and opens a date picker. */
export const DaySeparator = memo(function DaySeparator({ at, since, onDate }: DaySeparatorProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <div className="day-separator">
      <button
        ref={button}
        type="button"
        data-day
        tabIndex={-1}
        className="day-separator-button"
        aria-label={t.toDate({ day: day(at) })}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {day(at)}
        <Icon name="chevron-down" size={14} />
      </button>
      {isOpen && (
        <Calendar anchor={button} shown={at} since={since} onPick={onDate} onClose={() => setOpen(false)} />
      )}
    </div>
  );
});

/** The separator above the first unread message. */
export const NewSeparator = () => (
  // biome-ignore lint/a11y/useSemanticElements: the line contains text, which hr cannot
  <div className="new-separator" role="separator">
    <span>{t.fresh}</span>
  </div>
);
