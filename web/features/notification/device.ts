import { createStore } from '../../ui/index.ts';
import { keep, kept } from '../../ui/kept.ts';

const KEY = 'palaver.notices';

/** Whether this browser tells of news: it cannot, was never asked, was told not to, or does. */
export type DeviceState = 'missing' | 'unasked' | 'refused' | 'off' | 'on';

const isOff = (): boolean => kept(KEY) === 'off';

function stateNow(): DeviceState {
  if (typeof Notification === 'undefined') return 'missing';
  if (Notification.permission === 'denied') return 'refused';
  if (Notification.permission === 'default') return 'unasked';
  return isOff() ? 'off' : 'on';
}

const device = createStore<DeviceState | undefined>(undefined);

/** The browser takes about a millisecond to tell of its permission: while messages stream in, the answer may be so old, in ms. */
const FRESH = 1_000;
let known: { at: number; state: DeviceState } | undefined;

/** The state, as it was within the last second. */
export function deviceState(): DeviceState {
  const at = performance.now();
  if (!known || at - known.at > FRESH) known = { at, state: stateNow() };
  return known.state;
}
export const useDeviceState = (): DeviceState => device.use() ?? stateNow();

/** Turns it on or off in this browser; asks for permission by the click from which it is called. */
export async function setDevice(isOn: boolean): Promise<void> {
  // The permission itself is kept by the browser.
  keep(KEY, isOn ? undefined : 'off');
  if (isOn && stateNow() === 'unasked') await Notification.requestPermission();
  known = undefined;
  device.set(stateNow());
}
