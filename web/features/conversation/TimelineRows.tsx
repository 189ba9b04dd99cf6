import { Fragment, memo, useMemo } from 'react';
import { useSession } from '../../replica/hooks.ts';
import type { Place } from '../../replica/types.ts';
import { MessageRow } from '../message/index.ts';
import { useUserId } from '../session/index.ts';
import { rowsOf } from './rows.ts';
import { DaySeparator, NewSeparator } from './Separators.tsx';

interface TimelineRowsProps {
  /** The messages in the page: the same array as long as they are the same. */
  shown: readonly string[];
  /** The message before the first, if it is held. */
  before: string | undefined;
  /** The marker at which what is new begins. */
  since: string | undefined;
  place: Place;
  /** The message to which somebody was led, and how often. */
  marked: { id: string; count: number } | undefined;
  /** The earliest date to which one can go. */
  began: number;
  onDate: (at: number) => void;
}

/** The rows of a list, with what stands between them. Whatever else changes around it, it is drawn anew only with other messages. */
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
  const rows = useMemo(() => {
    const messages = shown.map((id) => replica.row('message', id)).filter((one) => one !== undefined);
    return rowsOf(messages, {
      before: before === undefined ? undefined : replica.row('message', before),
      since,
      userId,
    });
  }, [shown, before, since, userId, replica]);
  return rows.map(({ id, day, isFirstNew, hasAuthor }) => (
    <Fragment key={id}>
      {day !== undefined && <DaySeparator at={day} since={began} onDate={onDate} />}
      {isFirstNew && <NewSeparator />}
      <MessageRow id={id} hasAuthor={hasAuthor} place={place} mark={marked?.id === id ? marked.count : 0} />
    </Fragment>
  ));
});
