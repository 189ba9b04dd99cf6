import { notification as t } from '../../strings/en/frame.ts';
import { Switch, toast } from '../../ui/index.ts';
import { setDevice, useDeviceState } from './device.ts';

/** The switch for notifications in this browser. Browsers only ask for permission after a click. */
export function DeviceNotices() {
  const state = useDeviceState();
  if (state === 'missing') return null;
  return (
    <Switch
      label={t.device}
      hint={state === 'refused' ? t.deviceRefused : t.deviceHint}
      isOn={state === 'on'}
      isDisabled={state === 'refused'}
      onChange={(isOn) => void setDevice(isOn).catch(toast.error)}
    />
  );
}
