import { useActions, useServers, useUnread } from '../../../replica/hooks.ts';
import { common } from '../../../strings/en/common.ts';
import { me as t } from '../../../strings/en/me.ts';
import { Avatar, Empty, Select, Switch, toast } from '../../../ui/index.ts';
import { DeviceNotices } from '../../notification/index.ts';
import { ownPresence, saveOwn } from '../../presence/index.ts';
import type { Myself } from '../../session/index.ts';
import { Group, Page, Row, Rows } from '../../settings/index.ts';
import { Keywords } from './Keywords.tsx';
import { PushDevices } from './PushDevices.tsx';
import { QuietTimes } from './QuietTimes.tsx';
import { Reached } from './Reached.tsx';

const levels = ['all', 'mentions', 'nothing'] as const;
type Level = (typeof levels)[number];
/** Browsers only support notifications over TLS and on localhost. */
const canNotify = 'Notification' in globalThis && isSecureContext;

/** Notification settings. */
export function Notifications({ me }: { me: Myself }) {
  const servers = useServers();
  return (
    <Page title={t.sections.notifications} lead={t.notifications.lead}>
      <Quiet />
      <QuietTimes me={me} />
      <Keywords me={me} />
      <Group title={t.notifications.browser}>
        {canNotify ? <DeviceNotices /> : <p>{t.notifications.unsupported}</p>}
      </Group>
      <Reached me={me} />
      {canNotify && <PushDevices />}
      <Group title={common.servers} lead={t.notifications.serversMore}>
        {servers.length === 0 ? (
          <Empty icon="bell" title={t.notifications.noServers} />
        ) : (
          <Rows label={common.servers}>
            {servers.map(({ id, name, icon }) => (
              <ServerLevel key={id} id={id} name={name} icon={icon} />
            ))}
          </Rows>
        )}
      </Group>
    </Page>
  );
}

function ServerLevel({ id, name, icon }: { id: string; name: string; icon: string | null }) {
  const { level } = useUnread(id);
  const { setLevel } = useActions();
  return (
    <Row
      mark={<Avatar id={id} name={name} src={icon} isServer />}
      title={name}
      actions={
        <Select<Level>
          label={t.notifications.levelOf({ server: name })}
          isLabelHidden
          value={level ?? 'all'}
          options={levels.map((value) => ({ value, label: t.notifications.levels[value] }))}
          onValue={(value) => {
            setLevel(id, { level: value }).catch(toast.error);
          }}
        />
      }
    />
  );
}

/** Do not disturb: turns off notifications, and is visible to other users. */
function Quiet() {
  const own = ownPresence.use();
  return (
    <Switch
      label={t.notifications.quiet}
      hint={t.notifications.quietMore}
      isOn={own?.status === 'dnd'}
      isDisabled={!own}
      onChange={(isOn) => {
        saveOwn({ status: isOn ? 'dnd' : 'online' }).catch(toast.error);
      }}
    />
  );
}
