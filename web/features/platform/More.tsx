import type { Pages } from '../../api/pages.ts';
import { common } from '../../strings/en/common.ts';
import { Button, ErrorText } from '../../ui/index.ts';

/** The foot of a list: what went wrong, or the way to its next page. */
export function More({
  of: { error, hasMore, isAsking, more, rows },
}: {
  of: Pages<never> | Pages<{ id: string }>;
}) {
  if (error !== undefined) return <ErrorText error={error} onAgain={more} />;
  if (!hasMore && !(isAsking && rows)) return null;
  return (
    <div>
      <Button isPending={isAsking} onClick={more}>
        {common.more}
      </Button>
    </div>
  );
}
