import type { Records } from '../../api/records.ts';
import { ui } from '../../strings/en/common.ts';
import { direct as t } from '../../strings/en/frame.ts';
import { list } from '../../strings/format.ts';
import { useDirectPresence, useOthers } from '../direct/index.ts';

/** Describes a direct message: who left the server, the other member's presence, or the members of a group. */
export function DirectAbout({ channel }: { channel: Records['Channel'] }) {
  const others = useOthers(channel);
  const presence = useDirectPresence(channel);
  const gone = others.filter(({ hasLeft }) => hasLeft).map(({ name }) => name);
  const isGroup = others.length > 1;
  const text =
    gone.length > 0
      ? t.left({ count: gone.length, names: list(gone) })
      : !isGroup
        ? presence && (presence.text ?? ui.presence[presence.status])
        : channel.name === ''
          ? t.members({ count: others.length + 1 })
          : list(others.map(({ name }) => name));
  if (!text) return null;
  return (
    <p className="ellipsis channel-header-about" title={text}>
      <bdi>{text}</bdi>
    </p>
  );
}
