import { createStore } from '../../ui/index.ts';
import { keep, kept } from '../../ui/kept.ts';

const KEY = 'palaver.notices';

/**
 * The state of notifications in this browser: unsupported, permission not requested, permission denied,
 * turned off, or on.
 */
export type DeviceState = 'missing' | 'unasked' | 'refused' | 'off' | 'on';

const isOff = (): boolean => kept(KEY) === 'off';

function stateNow(): DeviceState {
  if (typeof Notification === 'undefined') return 'missing';
  if (Notification.permission === 'denied') return 'refused';
  if (Notification.permission === 'default') return 'unasked';
  return isOff() ? 'off' : 'on';
}

const device = createStore<DeviceState | undefined>(undefined);

/**
 * Reading the permission takes about a millisecond, which is too long for every message in a busy stream.
 * It is cached for this many ms.
 */
const FRESH = 1_000;
let known: { at: number; state: DeviceState } | undefined;

/** The state, which is at most one second old. */
export function deviceState(): DeviceState {
  const at = performance.now();
  if (!known || at - known.at > FRESH) known = { at, state: stateNow() };
  return known.state;
}
export const useDeviceState = (): DeviceState => device.use() ?? stateNow();

/**
 * Turns notifications in this browser on or off. Call it from a click handler, because it may ask for
 * permission.
 */
export async function setDevice(isOn: boolean): Promise<void> {
  // The browser stores the permission itself, so only "off" is stored here.
  keep(KEY, isOn ? undefined : 'off');
  if (isOn && stateNow() === 'unasked') await Notification.requestPermission();
  known = undefined;
  device.set(stateNow());
  const { endPush, syncPush } = await import('./push/index.ts');
  await (isOn ? syncPush() : endPush());
}
