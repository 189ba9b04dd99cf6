import type { ReactNode } from 'react';
import type { Pages } from '../../api/pages.ts';
import { type EmptyWords, Rows } from './Rows.tsx';

interface AskedRowsProps<Row> {
  label: string;
  pages: Pages<Row>;
  empty: EmptyWords;
  children: (row: Row) => ReactNode;
}

/** The rows of a list that events do not keep up to date. */
export const AskedRows = <Row,>({ label, pages, empty, children }: AskedRowsProps<Row>) => (
  <Rows
    label={label}
    pages={{ ...pages, isReading: pages.isAsking }}
    count={pages.rows?.length ?? 0}
    empty={empty}
  >
    {pages.rows?.map(children)}
  </Rows>
);
