import { me as t } from '../../strings/en/me.ts';
import { deviceIn } from './device.ts';

/** The name of a browser and its system, or what the server recorded about an app or an unknown browser. */
export function deviceName(device: string | null): string {
  if (!device) return t.sessions.unknown;
  const { browser, system } = deviceIn(device) ?? {};
  if (browser && system) return t.sessions.on({ browser, system });
  return browser ?? system ?? device;
}
