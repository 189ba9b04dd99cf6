import type { Records } from '../../api/records.ts';
import { useRow } from '../../replica/hooks.ts';
import { thread as t } from '../../strings/en/panels.ts';
import { Icon } from '../../ui/index.ts';
import { useChannelName } from '../direct/index.ts';
import './ThreadHead.css';

/** The header of a thread: the thread's name and its channel's name. */
export function ThreadHead({ threadId, channel }: { threadId: string; channel: Records['Channel'] }) {
  const thread = useRow('thread', threadId);
  const name = useChannelName(channel);
  return (
    <span className="thread-head">
      <bdi className="thread-head-name">{thread?.name ?? t.thread}</bdi>
      {thread?.locked && (
        <>
          <Icon name="lock" size={14} />
          <span className="only-read">{t.locked}</span>
        </>
      )}
      <span className="tiny muted thread-head-channel">
        {t.inChannel}
        <bdi>{name}</bdi>
      </span>
    </span>
  );
}
