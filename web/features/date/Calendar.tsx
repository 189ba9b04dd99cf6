import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { conversation as t } from '../../strings/en/conversation.ts';
import { firstWeekday, isSameDay, month, weekday, wholeDay } from '../../strings/format.ts';
import { addDays } from '../../ui/days.ts';
import { type Anchor, IconButton, Popover } from '../../ui/index.ts';
import { addMonths, weeksOf, within } from './month.ts';
import './Calendar.css';

interface CalendarProps {
  anchor: Anchor;
  /** The day that is shown first, in ms. */
  shown: number;
  /** The first day that can be selected. The last one is today. */
  since: number;
  /** Called with the local midnight of the day, in ms. */
  onPick: (at: number) => void;
  onClose: () => void;
}

/** A date picker. Arrow keys move by days and weeks, Page Up and Page Down by months. */
export default function Calendar({ anchor, shown, since, onPick, onClose }: CalendarProps) {
  const today = Date.now();
  const [at, setAt] = useState(() => within(shown, since, today));
  const grid = useRef<HTMLTableElement>(null);
  const isMoved = useRef(true);
  const go = (to: number) => setAt(within(to, since, today));
  useLayoutEffect(() => {
    if (isMoved.current)
      grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
    isMoved.current = false;
  });
  const keyed = (event: KeyboardEvent) => {
    const to = movedBy(event.key, at);
    if (to === undefined) return;
    event.preventDefault();
    isMoved.current = true;
    go(to);
  };
  const weeks = weeksOf(at, firstWeekday());
  return (
    <Popover anchor={anchor} label={t.pickDate} placement="below" onClose={onClose} className="calendar">
      <Head at={at} onMonth={(by) => go(addMonths(at, by))} />
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid whose cells are buttons */}
      <table ref={grid} className="calendar-grid" role="grid" aria-label={month(at)} onKeyDown={keyed}>
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day} scope="col" abbr={weekday(day).long}>
                {weekday(day).short}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <Day
                  key={day}
                  {...{ day, at, shown }}
                  isOut={within(day, since, today) !== day}
                  onPick={() => {
                    onClose();
                    onPick(day);
                  }}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Popover>
  );
}

/** The day that a key moves to; undefined for other keys. */
function movedBy(key: string, at: number): number | undefined {
  const side = document.documentElement.dir === 'rtl' ? -1 : 1;
  const moves: Record<string, number> = {
    ArrowLeft: addDays(at, -side),
    ArrowRight: addDays(at, side),
    ArrowUp: addDays(at, -7),
    ArrowDown: addDays(at, 7),
    PageUp: addMonths(at, -1),
    PageDown: addMonths(at, 1),
  };
  return moves[key];
}

const Head = ({ at, onMonth }: { at: number; onMonth: (by: number) => void }) => (
  <div className="calendar-head">
    <IconButton size="small" icon="chevron-left" label={t.monthBefore} onClick={() => onMonth(-1)} />
    <span className="calendar-month" role="status">
      {month(at)}
    </span>
    <IconButton size="small" icon="chevron-right" label={t.monthAfter} onClick={() => onMonth(1)} />
  </div>
);

interface DayProps {
  day: number;
  /** The day selected with the arrow keys. */
  at: number;
  shown: number;
  isOut: boolean;
  onPick: () => void;
}

const Day = ({ day, at, shown, isOut, onPick }: DayProps) => (
  <td>
    <button
      type="button"
      className="calendar-day"
      tabIndex={day === at ? 0 : -1}
      disabled={isOut}
      aria-label={wholeDay(day)}
      aria-current={isSameDay(day, Date.now()) ? 'date' : undefined}
      data-is-shown={isSameDay(day, shown)}
      data-is-other={new Date(day).getMonth() !== new Date(at).getMonth()}
      onClick={onPick}
    >
      {new Date(day).getDate()}
    </button>
  </td>
);
