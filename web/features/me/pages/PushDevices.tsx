import { useEffect } from 'react';
import { useAsked } from '../../../api/asked.ts';
import type { Records } from '../../../api/index.ts';
import { common } from '../../../strings/en/common.ts';
import { me as t } from '../../../strings/en/me.ts';
import { dateTime } from '../../../strings/format.ts';
import { Badge, Button, ErrorText, Icon } from '../../../ui/index.ts';
import { usePending } from '../../../ui/usePending.ts';
import { useDeviceState } from '../../notification/index.ts';
import { pushDevices, removeDevice, syncPush } from '../../notification/push/index.ts';
import { Facts, Group, Row, Rows } from '../../settings/index.ts';
import { deviceIn } from '../device.ts';
import { deviceName } from '../deviceName.ts';

type Device = Records['PushSubscription'];

/** The devices that get notifications while Palaver is closed. */
export function PushDevices() {
  const state = useDeviceState();
  const { data, error, again, keep } = useAsked('push', pushDevices);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state decides whether this browser is in the list
  useEffect(() => {
    if (state === 'on') void syncPush().then(again);
  }, [state]);
  const remove = async (device: Device) => {
    await removeDevice(device);
    keep((all) => all.filter(({ id }) => id !== device.id));
  };
  return (
    <Group title={t.notifications.devices} lead={t.notifications.devicesMore}>
      <ErrorText error={error} onAgain={again} />
      <Rows
        label={t.notifications.devices}
        count={data?.length ?? 0}
        empty={{ icon: 'smartphone', title: t.notifications.noDevices }}
      >
        {data?.map((device) => (
          <DeviceRow key={device.id} device={device} onRemove={() => remove(device)} />
        ))}
      </Rows>
    </Group>
  );
}

function DeviceRow({ device, onRemove }: { device: Device; onRemove: () => Promise<unknown> }) {
  const [isPending, run] = usePending();
  const name = deviceName(device.device);
  return (
    <Row
      mark={<Icon name={deviceIn(device.device ?? '')?.isPhone ? 'smartphone' : 'laptop'} size={22} />}
      title={name}
      badges={device.isCurrent && <Badge kind="good">{t.sessions.here}</Badge>}
      note={<Facts of={[t.notifications.deviceSince({ when: dateTime(device.createdAt) })]} />}
      actions={
        <Button
          size="small"
          isPending={isPending}
          aria-label={t.notifications.removeDevice({ device: name })}
          onClick={() => run(onRemove)}
        >
          {common.remove}
        </Button>
      }
    />
  );
}
