import type { ComponentProps } from 'react';
import type { Pages } from '../../api/pages.ts';
import { common } from '../../strings/en/common.ts';
import { Button, Empty, ErrorText, Table } from '../../ui/index.ts';

interface PagedTableProps<Row> {
  label: string;
  pages: Pages<Row>;
  /** The rows to show. Defaults to all loaded rows. */
  rows?: readonly Row[] | undefined;
  columns: ComponentProps<typeof Table<Row>>['columns'];
  /** The empty state. */
  empty: ComponentProps<typeof Empty>;
}

/** A paginated table, with an error or a “load more” button below. */
export function PagedTable<Row extends { id: string }>({
  label,
  pages,
  rows = pages.rows,
  columns,
  empty,
}: PagedTableProps<Row>) {
  const { error, hasMore, isAsking, more } = pages;
  return (
    <>
      <Table
        label={label}
        rows={error === undefined ? rows : (rows ?? [])}
        keyOf={({ id }) => id}
        empty={error === undefined && <Empty {...empty} />}
        columns={columns}
      />
      {error !== undefined && <ErrorText error={error} onAgain={more} />}
      {error === undefined && (hasMore || (isAsking && pages.rows)) && (
        <div>
          <Button isPending={isAsking} onClick={more}>
            {common.more}
          </Button>
        </div>
      )}
    </>
  );
}
