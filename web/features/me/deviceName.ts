import { me as t } from '../../strings/en/me.ts';
import { deviceIn } from './device.ts';

/**
 * The browser and operating system, or the device string that the server recorded for an app or an unknown
 * browser.
 */
export function deviceName(device: string | null): string {
  if (!device) return t.sessions.unknown;
  const { browser, system } = deviceIn(device) ?? {};
  if (browser && system) return t.sessions.on({ browser, system });
  return browser ?? system ?? device;
}
