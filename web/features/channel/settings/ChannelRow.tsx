import type { Records } from '../../../api/records.ts';
import { useRows } from '../../../replica/hooks.ts';
import { common } from '../../../strings/en/common.ts';
import { channelSettings as t } from '../../../strings/en/serverSettings.ts';
import { list } from '../../../strings/format.ts';
import { Badge } from '../../../ui/index.ts';
import { Facts } from '../../settings/index.ts';
import { type MovableProps, MovableRow } from './MovableRow.tsx';

interface ChannelRowProps extends MovableProps {
  channel: Records['Channel'];
}

/** A channel in the reorderable list. */
export function ChannelRow({ channel, ...movable }: ChannelRowProps) {
  const roles = useRows('role', 'serverId', channel.serverId);
  const seers = roles.filter(({ id }) => channel.roleIds.includes(id)).map((role) => role.name);
  return (
    <MovableRow
      {...movable}
      id={channel.id}
      name={channel.name}
      icon="hash"
      badges={
        <>
          {channel.private && <Badge kind="blue">{common.private}</Badge>}
          {channel.readonly && <Badge kind="warm">{t.isReadonly}</Badge>}
        </>
      }
      note={
        <Facts
          of={[
            channel.private && (seers.length > 0 ? t.seenBy({ roles: list(seers) }) : t.seenByAdmins),
            channel.description,
          ]}
        />
      }
      edit={t.editNamed({ name: channel.name })}
      deletion={t.delete}
    />
  );
}
