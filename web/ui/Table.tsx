import type { ReactNode } from 'react';
import { Skeleton } from './Skeleton.tsx';
import './Table.css';

/** A column: its heading, and how to render its cells. */
export interface Column<Row> {
  key: string;
  label: string;
  show: (row: Row) => ReactNode;
  /** Set for numbers, which are aligned to the end. */
  isNumber?: boolean;
  /** Set for buttons at the end of the row. The heading is visually hidden. */
  isActions?: boolean;
}

interface TableProps<Row> {
  /** The accessible name. */
  label: string;
  /** The first column is the row header. */
  columns: readonly Column<Row>[];
  /** Undefined while the rows are loading. */
  rows: readonly Row[] | undefined;
  keyOf: (row: Row) => string;
  /** Rendered instead of the table if there are no rows. */
  empty?: ReactNode;
}

/**
 * A table. In a narrow container, each row becomes a card. Roles are explicit because the card layout would lose them.
 */
export function Table<Row>({ label, columns, rows, keyOf, empty }: TableProps<Row>) {
  if (rows?.length === 0 && empty) return <>{empty}</>;
  const classOf = ({ isNumber, isActions }: Column<Row>) =>
    isNumber ? 'table-number' : isActions ? 'table-actions' : undefined;
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: see above
    <table className="small table" role="table" aria-label={label} aria-busy={rows === undefined}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th key={column.key} role="columnheader" scope="col" className={classOf(column)}>
              <span className={column.isActions ? 'only-read' : undefined}>{column.label}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows?.map((row) => (
          <tr key={keyOf(row)} role="row">
            {columns.map((column, at) => {
              const content = column.show(row);
              const shared = { className: classOf(column), 'data-label': column.label };
              return at === 0 ? (
                <th key={column.key} role="rowheader" scope="row" {...shared}>
                  {content}
                </th>
              ) : (
                <td key={column.key} role="cell" {...shared}>
                  {content}
                </td>
              );
            })}
          </tr>
        ))}
        {rows === undefined &&
          [0, 1, 2].map((at) => (
            <tr key={at} role="row">
              {columns.map(({ key }) => (
                <td key={key} role="cell">
                  <Skeleton />
                </td>
              ))}
            </tr>
          ))}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y/noRedundantRoles: see above
  );
}
