import { api, type Records } from '../../../api/index.ts';
import { accountNow } from '../../session/index.ts';

type Device = Records['PushSubscription'];

/** Whether this browser can receive pushes while no page is open. */
const canPush = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window;

/**
 * Firefox accepts a few silent pushes. Safari would end the subscription, and Chromium would show its own
 * notice.
 */
const maySilence = (): boolean => navigator.userAgent.includes('Firefox/');

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0));

const isFor = (key: Uint8Array, { options }: PushSubscription): boolean => {
  const own = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  return own.length === key.length && own.every((byte, at) => byte === key[at]);
};

/**
 * Subscribes this browser to pushes, and tells the server. Call it at each load while notifications are on in this browser,
 * because push services end subscriptions without notice. Resolves to false if the subscription is not possible.
 */
export async function syncPush(): Promise<boolean> {
  const account = accountNow();
  if (account.state !== 'in' || !account.me.pushKey || !canPush()) return false;
  const key = bytesOf(account.me.pushKey);
  try {
    const { pushManager } = await navigator.serviceWorker.ready;
    let subscription = await pushManager.getSubscription();
    if (subscription && !isFor(key, subscription)) {
      await subscription.unsubscribe();
      subscription = null;
    }
    subscription ??= await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    const { endpoint, keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON();
    if (endpoint === undefined) return false;
    await api('none').pushSubscriptionInsert({ endpoint, keys: { p256dh, auth }, maySilence: maySilence() });
    return true;
  } catch {
    // Without push, an open page still shows notifications.
    return false;
  }
}

/** Unsubscribes this browser, and removes it from the server's list. */
export async function endPush(): Promise<void> {
  for (const device of await pushDevices()) if (device.isCurrent) await removeDevice(device);
  if (!canPush()) return;
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/** The user's devices that receive pushes, this one first. */
export async function pushDevices(): Promise<Device[]> {
  const found: Device[] = [];
  for await (const device of api('none').pushSubscriptions({ limit: 100 })) found.push(device);
  return found.sort((one, other) => +other.isCurrent - +one.isCurrent);
}

export const removeDevice = ({ id }: Device) => api('none').pushSubscriptionDelete({ id });
