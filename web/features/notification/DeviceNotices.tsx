import { notification as t } from '../../strings/en/frame.ts';
import { Switch, toast } from '../../ui/index.ts';
import { setDevice, useDeviceState } from './device.ts';

/** Whether this browser tells of news while one looks elsewhere: on only after a click, by the browser's own question. */
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
