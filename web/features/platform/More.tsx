import type { Pages } from '../../api/pages.ts';
import { platform as t } from '../../strings/en/platform.ts';
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
        {t.more}
      </Button>
    </div>
  );
}
