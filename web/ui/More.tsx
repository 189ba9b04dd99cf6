import { useEffect, useRef } from 'react';
import { common } from '../strings/en/common.ts';
import { Button, ErrorText, Spinner } from './index.ts';
import type { Pages } from './usePages.ts';

/**
 * The end of a paginated list. Loads the next page when it is about to scroll into view, and shows the
 * loading state and errors.
 */
export function More({ pages }: { pages: Pages }) {
  const { isLoading, isWhole, error, more } = pages;
  const end = useRef<HTMLDivElement>(null);
  const isWaiting = !isLoading && !isWhole && error === undefined;
  useEffect(() => {
    const element = end.current;
    if (!element || !isWaiting) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) more();
      },
      { rootMargin: '300px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [isWaiting, more]);
  if (isWhole) return null;
  return (
    <div ref={end} className="side-panel-more">
      {isLoading && <Spinner />}
      {error !== undefined && <ErrorText error={error} onAgain={more} />}
      {isWaiting && (
        <Button size="small" kind="quiet" onClick={more}>
          {common.more}
        </Button>
      )}
    </div>
  );
}
