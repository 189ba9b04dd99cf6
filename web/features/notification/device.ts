import { createStore } from '../../ui/index.ts';

const KEY = 'palaver.notices';

/** Whether this browser tells of news: it cannot, was never asked, was told not to, or does. */
export type DeviceState = 'missing' | 'unasked' | 'refused' | 'off' | 'on';

function isOff(): boolean {
  try {
    return localStorage.getItem(KEY) === 'off';
  } catch {
    return false;
  }
}

function stateNow(): DeviceState {
  if (typeof Notification === 'undefined') return 'missing';
  if (Notification.permission === 'denied') return 'refused';
  if (Notification.permission === 'default') return 'unasked';
  return isOff() ? 'off' : 'on';
}

const device = createStore<DeviceState | undefined>(undefined);

export const deviceState = (): DeviceState => stateNow();
export const useDeviceState = (): DeviceState => device.use() ?? stateNow();

/** Turns it on or off in this browser; asks for permission by the click from which it is called. */
export async function setDevice(isOn: boolean): Promise<void> {
  try {
    if (isOn) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, 'off');
  } catch {
    // The permission itself is kept by the browser.
  }
  if (isOn && stateNow() === 'unasked') await Notification.requestPermission();
  device.set(stateNow());
}
