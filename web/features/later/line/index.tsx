import { Link } from '../../../Link.tsx';
import { useRows } from '../../../replica/hooks.ts';
import { scheduled as t } from '../../../strings/en/writing.ts';
import { when } from '../times.ts';

interface ScheduledLineProps {
  channelId: string;
  /** Null for the channel itself. */
  threadId: string | null;
}

/** Shows above a composer which messages are scheduled in its channel or thread. */
export default function ScheduledLine({ channelId, threadId }: ScheduledLineProps) {
  const all = useRows('scheduledMessage', 'channelId', channelId).filter((row) => row.threadId === threadId);
  if (all.length === 0) return null;
  const waiting = all.filter(({ failedAt }) => failedAt === null);
  const failed = all.length - waiting.length;
  const next = Math.min(...waiting.map(({ dueAt }) => dueAt));
  const words = [
    failed > 0 && t.failedHere({ count: failed }),
    waiting.length > 0 && t.here({ count: waiting.length, when: when(next) }),
  ];
  return (
    <p className="tiny muted composer-news">
      <span>{words.filter(Boolean).join(' ')}</span>
      <Link to={{ page: 'later', section: 'scheduled' }}>{t.view}</Link>
    </p>
  );
}
