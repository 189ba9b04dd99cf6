import { type ReactNode, useEffect, useState } from 'react';
import { settings as t } from '../../strings/en/common.ts';
import { fold } from '../../ui/fold.ts';
import { Button, TextField, useRested } from '../../ui/index.ts';
import { type EmptyWords, nothingFound, Rows } from './Rows.tsx';

/** Rows from which on it is worth a search. */
const MANY = 12;
/** So many rows show at first, and more with each click. */
const STEP = 100;

interface Pages {
  isReading: boolean;
  error: unknown;
  hasMore: boolean;
  more(): void;
}

/** Some rows of a list, as they are searched. */
export interface Found<T> {
  rows: readonly T[];
  /** The field of the search; nothing where the list is short. */
  field: ReactNode;
  /** The way to the rows that do not show yet; nothing where all do. */
  rest: ReactNode;
  isSearched: boolean;
}

/**
 * Finds rows by the words in their texts, and shows them in steps. A list in `pages` is read to its end once something is searched, so that
 * nothing is said to be missing that is only not read.
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
  /** Shown where the list has nothing at all. */
  empty: EmptyWords;
  children: (row: T) => ReactNode;
}

/** A list below the field that searches it. */
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
