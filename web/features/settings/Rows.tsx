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

/** The empty state of a search without results. */
export const nothingFound = (): EmptyWords => ({
  icon: 'search',
  title: common.noResults,
  text: t.nothingMore,
});

interface RowsProps {
  /** The accessible name of the list. */
  label: string;
  /** The loading state of a paginated list. Omit it if everything is loaded. */
  pages?: { isReading: boolean; error: unknown; hasMore: boolean; more: () => void };
  /** The number of rows. Omit it if there is always at least one. */
  count?: number;
  /** The empty state. */
  empty?: EmptyWords;
  /** The button that shows more of the loaded rows. */
  rest?: ReactNode;
  children: ReactNode;
}

/** A framed list with its loading, error and empty states. */
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

/** Skeleton rows while loading. */
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
  /** An avatar or icon at the start. */
  mark?: ReactNode;
  title: ReactNode;
  /** Content next to the title. */
  badges?: ReactNode;
  /** A line below the title. */
  note?: ReactNode;
  actions?: ReactNode;
  className?: string;
  /** The ID of the resource shown, for lists that can be reordered by drag and drop. */
  id?: string;
  /** Content below the row. */
  children?: ReactNode;
}

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

/** Facts on one line, separated by dots. Falsy ones are left out. */
export const Facts = ({ of }: { of: readonly ReactNode[] }) => (
  <span className="setting-facts">
    {of.filter(Boolean).map((fact, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: facts have no IDs and keep their order
      <span key={at} className="setting-fact">
        <bdi>{fact}</bdi>
      </span>
    ))}
  </span>
);
