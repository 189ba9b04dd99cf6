import type { ReactNode } from 'react';
import { common, settings as t } from '../../strings/en/common.ts';
import { Button, Empty, ErrorText, type IconName, names, Skeleton } from '../../ui/index.ts';
import './rows.css';

export interface EmptyWords {
  icon: IconName;
  title: string;
  text?: ReactNode;
  action?: ReactNode;
}

/** The words for a search that has found nothing. */
export const nothingFound = (): EmptyWords => ({
  icon: 'search',
  title: common.noResults,
  text: t.nothingMore,
});

interface RowsProps {
  /** What the list holds, for those who hear it. */
  label: string;
  /** How far it is read; left out where all of it is there. */
  pages?: { isReading: boolean; error: unknown; hasMore: boolean; more: () => void };
  /** So many rows there are; left out where there is always one. */
  count?: number;
  /** Shown where there are none. */
  empty?: EmptyWords;
  /** The way to rows that are read, and do not show yet. */
  rest?: ReactNode;
  children: ReactNode;
}

/** Things in a frame, one below the other, and what there is to say while some are missing. */
export function Rows({ label, pages, count = 1, empty, rest, children }: RowsProps) {
  const isDone = !pages || (!pages.isReading && pages.error === undefined && !pages.hasMore);
  return (
    <div className="setting-rows-frame">
      {count > 0 && (
        <ul className="setting-rows" aria-label={label}>
          {children}
        </ul>
      )}
      {count === 0 && isDone && empty && (
        <Empty icon={empty.icon} title={empty.title} text={empty.text}>
          {empty.action}
        </Empty>
      )}
      {count === 0 && pages?.isReading && <RowsToCome />}
      {pages?.error !== undefined && <ErrorText error={pages.error} onAgain={pages.more} />}
      {rest}
      {pages && !rest && (pages.hasMore || (pages.isReading && count > 0)) && pages.error === undefined && (
        <p className="setting-rows-state">
          <Button isPending={pages.isReading} onClick={pages.more}>
            {common.more}
          </Button>
        </p>
      )}
    </div>
  );
}

/** The places of rows that are on their way. */
const RowsToCome = () => (
  <div className="setting-rows" role="status">
    <span className="only-read">{common.loading}</span>
    {['60%', '45%', '52%'].map((width) => (
      <div key={width} className="setting-row">
        <span className="setting-row-mark">
          <Skeleton width="2.25rem" height="2.25rem" isRound />
        </span>
        <div className="setting-row-main setting-row-to-come">
          <Skeleton width={width} />
          <Skeleton width="30%" />
        </div>
      </div>
    ))}
  </div>
);

interface RowProps {
  /** A picture before it: an avatar, an icon. */
  mark?: ReactNode;
  title: ReactNode;
  /** Words beside the title. */
  badges?: ReactNode;
  /** A line below it. */
  note?: ReactNode;
  actions?: ReactNode;
  className?: string;
  /** Of the thing that it shows: for lists whose rows are dragged. */
  id?: string;
  /** More below all of it. */
  children?: ReactNode;
}

/** One of them. */
export const Row = ({ mark, title, badges, note, actions, className, id, children }: RowProps) => (
  <li className={names('setting-row', className)} data-id={id}>
    {mark && <span className="setting-row-mark">{mark}</span>}
    <div className="setting-row-main">
      <div className="setting-row-title">
        <span className="setting-row-name" dir="auto">
          {title}
        </span>
        {badges}
      </div>
      {note && <div className="setting-hint">{note}</div>}
    </div>
    {actions && <div className="setting-row-actions">{actions}</div>}
    {children && <div className="setting-row-more">{children}</div>}
  </li>
);

/** Facts in one line, with dots between them. What is false or missing is left out. */
export const Facts = ({ of }: { of: readonly ReactNode[] }) => (
  <span className="setting-facts">
    {of.filter(Boolean).map((fact, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: facts have no names, and keep their places
      <span key={at} className="setting-fact">
        <bdi>{fact}</bdi>
      </span>
    ))}
  </span>
);
