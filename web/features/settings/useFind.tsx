import { type ReactNode, useEffect, useState } from 'react';
import { settings as t } from '../../strings/en/common.ts';
import { fold } from '../../ui/fold.ts';
import { Button, TextField, useRested } from '../../ui/index.ts';
import { type EmptyWords, nothingFound, Rows } from './Rows.tsx';

/** Lists with more rows than this, or with further pages, get a search field. */
const MANY = 12;
/** The number of rows shown at first, and added with each click on “more”. */
const STEP = 100;

interface Pages {
  isReading: boolean;
  error: unknown;
  hasMore: boolean;
  more(): void;
}

/** The filtered rows of a list. */
export interface Found<T> {
  rows: readonly T[];
  /** The search field. Empty if the list is short. */
  field: ReactNode;
  /** The button that shows more rows. Empty if all are shown. */
  rest: ReactNode;
  isSearched: boolean;
}

/**
 * Filters rows by the words in their text, and shows them in steps. A search also loads all remaining
 * `pages`, because matches may be in rows that are not loaded yet.
 */
export function useFind<T>(
  label: string,
  all: readonly T[],
  textsOf: (row: T) => readonly (string | null | undefined)[],
  { pages, step = STEP }: { pages?: Pages; step?: number } = {},
): Found<T> {
  const [text, setText] = useState('');
  const [most, setMost] = useState(step);
  const words = fold(useRested(text)).split(/\s+/).filter(Boolean);
  const isSearched = words.length > 0;
  const isReadOn = isSearched && pages?.hasMore && !pages.isReading && pages.error === undefined;
  useEffect(() => {
    if (isReadOn) pages.more();
  });
  const found = isSearched
    ? all.filter((row) => {
        const texts = fold(textsOf(row).join(' '));
        return words.every((word) => texts.includes(word));
      })
    : all;
  const isLong = all.length > MANY || pages?.hasMore === true || text !== '';
  return {
    rows: found.slice(0, most),
    isSearched,
    field: isLong && (
      <>
        <TextField
          type="search"
          label={label}
          value={text}
          onText={(next) => {
            setText(next);
            setMost(step);
          }}
        />
        <span className="only-read" role="status">
          {isSearched && !pages?.isReading && t.found({ count: found.length })}
        </span>
      </>
    ),
    rest: found.length > most && (
      <p className="setting-rows-state">
        <Button onClick={() => setMost(most + step)}>{t.showOf({ shown: most, all: found.length })}</Button>
      </p>
    ),
  };
}

interface FoundRowsProps<T> {
  label: string;
  found: Found<T>;
  pages?: Pages;
  /** The empty state of a list without rows. A search without results has a separate empty state. */
  empty: EmptyWords;
  children: (row: T) => ReactNode;
}

/** A searchable list. */
export const FoundRows = <T,>({ label, found, pages, empty, children }: FoundRowsProps<T>) => (
  <>
    {found.field}
    <Rows
      label={label}
      pages={pages}
      rest={found.rest}
      count={found.rows.length}
      empty={found.isSearched ? nothingFound() : empty}
    >
      {found.rows.map(children)}
    </Rows>
  </>
);
