import { Fragment, memo, useMemo, useRef } from 'react';
import { useSession } from '../../replica/hooks.ts';
import type { TimelineRef } from '../../replica/types.ts';
import { MessageRow } from '../message/index.ts';
import { useUserId } from '../session/index.ts';
import { type Row, rowsOf } from './rows.ts';
import { DaySeparator, NewSeparator } from './Separators.tsx';
import { type Section, sectionsOf } from './sections.ts';

/** The message in a permalink, and how many times the permalink was followed. */
type Marked = { id: string; count: number } | undefined;

interface TimelineRowsProps {
  /** The ids of the rendered messages. The same array as long as they do not change. */
  shown: readonly string[];
  /** The message before the first one, if it is cached. */
  before: string | undefined;
  /** The marker after which messages are new. */
  since: string | undefined;
  place: TimelineRef;
  marked: Marked;
  /** The earliest date to jump to. */
  began: number;
  onDate: (at: number) => void;
}

/**
 * The rows of a list, in sections, with dates in between. Memoized: it only re-renders if the messages
 * change, and then only the sections that changed.
 */
export const TimelineRows = memo(function TimelineRows({
  shown,
  before,
  since,
  place,
  marked,
  began,
  onDate,
}: TimelineRowsProps) {
  const { replica } = useSession();
  const userId = useUserId();
  const known = useRef<readonly Section[]>([]);
  const sections = useMemo(() => {
    const messages = shown.map((id) => replica.row('message', id)).filter((one) => one !== undefined);
    const rows = rowsOf(messages, {
      before: before === undefined ? undefined : replica.row('message', before),
      since,
      userId,
    });
    known.current = sectionsOf(rows, known.current);
    return known.current;
  }, [shown, before, since, userId, replica]);
  return sections.map(({ key, day, rows }) => (
    <Fragment key={key}>
      {day !== undefined && <DaySeparator at={day} since={began} onDate={onDate} />}
      <TimelineSection
        rows={rows}
        place={place}
        marked={rows.some(({ id }) => id === marked?.id) ? marked : undefined}
      />
    </Fragment>
  ));
});

interface TimelineSectionProps {
  /** The same array as long as its items do not change. */
  rows: readonly Row[];
  place: TimelineRef;
  marked: Marked;
}

const TimelineSection = memo(function TimelineSection({ rows, place, marked }: TimelineSectionProps) {
  return (
    <div className="timeline-section">
      {rows.map(({ id, isFirstNew, hasAuthor }) => (
        <Fragment key={id}>
          {isFirstNew && <NewSeparator />}
          <MessageRow
            id={id}
            hasAuthor={hasAuthor}
            place={place}
            mark={marked?.id === id ? marked.count : 0}
          />
        </Fragment>
      ))}
    </div>
  );
});
