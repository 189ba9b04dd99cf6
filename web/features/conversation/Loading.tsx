// biome-ignore-all lint/suspicious/noArrayIndexKey: the skeleton rows are all alike
import { memo } from 'react';
import { conversation as t } from '../../strings/en/conversation.ts';
import { Skeleton } from '../../ui/index.ts';

interface LoadingProps {
  rows: number;
  /** Set for skeletons above or below messages, which come and go while scrolling and are not announced. */
  isSilent?: boolean;
}

/** A skeleton for messages that are loading. */
export const Loading = memo(({ rows, isSilent = false }: LoadingProps) => (
  <div
    className="timeline-loading"
    {...(isSilent ? { 'aria-hidden': true } : { role: 'status', 'aria-label': t.loading })}
  >
    {Array.from({ length: rows }, (_, at) => (
      <div key={at} className="timeline-loading-row">
        <Skeleton width="2.25rem" height="2.25rem" isRound />
        <div>
          <Skeleton width="8rem" />
          <Skeleton width={`${40 + ((at * 37) % 50)}%`} />
        </div>
      </div>
    ))}
  </div>
));
