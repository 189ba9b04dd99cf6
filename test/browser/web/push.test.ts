// @run chromium: the headless shell lacks notifications
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page, Worker } from 'playwright-core';
import { Browser, giveAccount } from '../../support/account.ts';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { Talk } from '../../support/conversation.ts';
import { dataOf } from '../../support/expect.ts';
import { until } from '../../support/process.ts';
import { PushService } from '../../support/pushService.ts';
import { WebClient } from '../../support/webClient.ts';
import type { Json } from '../../support/world.ts';

/** A notification is shown within this time, in ms. */
const SHOWN_MS = 500;

let client: WebClient;
let talk: Talk;
let service: PushService;
let device: { device: string; endpoint: string; keys: Json };
const contexts: BrowserContext[] = [];
before(async () => {
  service = await PushService.open();
  client = await WebClient.open({ push: { allowPrivate: true, hosts: [] } }, 'whole');
  talk = await Talk.open(client);
  await giveAccount(client.world, talk.ada);
  const browser = await Browser.of(client.world, talk.ada);
  device = await service.subscribe(dataOf(await browser.get('/me')).pushKey);
  const { endpoint, keys } = device;
  dataOf(await browser.post('/push-subscriptions', { endpoint, keys }));
});
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
});
after(async () => {
  await client?.close();
  await service?.close();
  client?.assertSound();
});

/** Sends a message that mentions Ada, and returns it with the push that her device received. */
async function mention(words: string): Promise<{ message: Json; payload: Json }> {
  const message = await talk.say('ben', `@${talk.ada.username} ${words}`);
  const found = () => service.pushed.find(({ payload }) => payload.id === message.id);
  await until(() => found() !== undefined);
  return { message, payload: found()?.payload };
}

/** Ada's browser with the service worker. `deliver` hands it a push, as a push service does. */
async function worker(): Promise<{
  page: Page;
  deliver(payload: unknown): Promise<void>;
  running(): Promise<Worker>;
}> {
  const page = await client.signedIn(talk.ada, '/me/profile');
  const context = page.context();
  contexts.push(context);
  await context.grantPermissions(['notifications'], { origin: client.url });
  await page.evaluate('navigator.serviceWorker.ready');
  // A window outside of the client, which stays open when the client's windows are closed.
  const blank = await context.newPage();
  const devtools = await context.newCDPSession(blank);
  const registered = new Promise<string>((resolve) =>
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [own] = registrations.filter(({ scopeURL }) => scopeURL.startsWith(client.url));
      if (own) resolve(own.registrationId);
    }),
  );
  await devtools.send('ServiceWorker.enable');
  const registrationId = await registered;
  return {
    page,
    running: async () => context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker')),
    async deliver(payload) {
      const data = typeof payload === 'string' ? payload : JSON.stringify(payload);
      await devtools.send('ServiceWorker.deliverPushMessage', { origin: client.url, registrationId, data });
      // Chromium loses a notification that is shown while `getNotifications` runs, so nothing calls it in the
      // meantime.
      await sleep(SHOWN_MS);
    },
  };
}

const shownIn = (running: Worker) =>
  running.evaluate<Json[]>(
    `registration.getNotifications().then((all) => all.map(({ title, body, tag, data }) => ({ title, body, tag, data })))`,
  );
const click = (running: Worker, tag: string) =>
  running.evaluate(
    `registration.getNotifications({ tag: '${tag}' }).then(([notification]) => dispatchEvent(new NotificationEvent('notificationclick', { notification })))`,
  );

test('without a page, a push shows a notification, and a click opens its message', async () => {
  const { page, deliver, running } = await worker();
  await page.close();
  const { message, payload } = await mention('Come to the harbour');
  await deliver(payload);
  const own = await running();
  await until(async () => (await shownIn(own)).length === 1);
  const [shown] = await shownIn(own);
  assert.equal(shown.title, `Ben Okri mentioned you in ${talk.channel.name}`);
  assert.equal(shown.body, '@Ada Lovelace Come to the harbour');
  assert.equal(shown.tag, talk.channel.id);
  // Browsers open a window only after a click by a user, so the test replaces the function.
  await own.evaluate(
    `clients.openWindow = (path) => { globalThis.opened = path; return Promise.resolve(null); }`,
  );
  await click(own, talk.channel.id);
  await until(async () => (await own.evaluate('globalThis.opened')) !== undefined);
  const path = await own.evaluate<string>('globalThis.opened');
  assert.equal(path, talk.path(message.id));
  const opened = await client.signedIn(talk.ada, path);
  contexts.push(opened.context());
  await opened.locator(`[data-message="${message.id}"]`).waitFor();
  assert.deepEqual(await shownIn(own), []);
});

test('a click opens the message in the open window', async () => {
  const { page, deliver, running } = await worker();
  const { message, payload } = await mention('Over here');
  await deliver(payload);
  const own = await running();
  await until(async () => (await shownIn(own)).some(({ data }) => data.id === message.id));
  const [{ tag }] = (await shownIn(own)).filter(({ data }) => data.id === message.id);
  await click(own, tag);
  await page.waitForURL(`**/m/${message.id}`);
  await page.locator(`[data-message="${message.id}"]`).waitFor();
});

/** Whether the notification for pushes without a message is shown. */
const isNoticeShown = async (own: Parameters<typeof shownIn>[0]): Promise<boolean> =>
  (await shownIn(own)).some(({ tag }) => tag === 'palaver');

test("a channel's messages share one notification, and every push shows one", async () => {
  const { page, deliver, running } = await worker();
  await page.close();
  const own = await running();
  const pushes = [await mention('one'), await mention('two'), await mention('three')];
  for (const { payload } of pushes) await deliver(payload);
  await until(async () => (await shownIn(own))[0]?.data?.id === pushes[2]?.message.id);
  assert.equal((await shownIn(own)).length, 1);
  await deliver({ type: 'read', channelId: talk.channel.id, id: pushes[2]?.message.id });
  for (const unknown of ['', 'no JSON', { type: 'later' }]) {
    await deliver(unknown);
    await until(() => isNoticeShown(own));
  }
  const kept = (await shownIn(own)).filter(({ tag }) => tag === talk.channel.id);
  assert.equal(kept.length, 1, 'otherwise, Chromium would show its own notification');
});

test('the settings list the devices, and change what pushes contain', async () => {
  const page = await client.signedIn(talk.ada, '/me/notifications');
  contexts.push(page.context());
  await page.getByRole('list', { name: 'Devices' }).getByRole('listitem').waitFor();
  await page.getByRole('combobox', { name: 'Content of push notifications' }).selectOption('nothing');
  await until(async () => {
    const browser = await Browser.of(client.world, talk.ada);
    return dataOf(await browser.get('/me')).pushContent === 'nothing';
  });
  assert.deepEqual((({ title, body }) => [title, body])((await mention('hidden')).payload), [
    'New message',
    '',
  ]);
  await page.getByRole('button', { name: /^Remove/ }).click();
  await page.getByText('No devices receive push notifications yet.').waitFor();
  const browser = await Browser.of(client.world, talk.ada);
  assert.deepEqual(dataOf(await browser.get('/push-subscriptions')), []);
});

/**
 * Replaces the browser's push service, which Chromium lacks in tests. `current` is the browser's subscription;
 * without one, the page subscribes again.
 */
async function fakePushService(page: Page, of: { current: Json | null }, pushKey: string): Promise<void> {
  await page.exposeFunction('subscriptionNow', () => of.current);
  await page.exposeFunction('subscribeNow', async () => {
    of.current = await service.subscribe(pushKey);
    return of.current;
  });
  await page.addInitScript(`{
    const key = Uint8Array.from(atob('${Buffer.from(pushKey, 'base64url').toString('base64')}'), (sign) => sign.charCodeAt(0));
    const asSubscription = (data) => data && { options: { applicationServerKey: key.buffer }, toJSON: () => data };
    PushManager.prototype.getSubscription = async () => asSubscription(await subscriptionNow());
    PushManager.prototype.subscribe = async () => asSubscription(await subscribeNow());
  }`);
}

test('each page load sends the push subscription again, in case the server lost it or the browser renewed it', async () => {
  const { ben } = talk;
  await giveAccount(client.world, ben);
  const elsewhere = await Browser.of(client.world, ben);
  const { pushKey } = dataOf(await elsewhere.get('/me'));
  const browser: { current: Json | null } = { current: await service.subscribe(pushKey) };
  const page = await client.signedIn(ben, '/me/profile');
  contexts.push(page.context());
  await page.context().grantPermissions(['notifications'], { origin: client.url });
  await fakePushService(page, browser, pushKey);
  const devices = async (): Promise<Json[]> => dataOf(await elsewhere.get('/push-subscriptions'));
  const pushedTo = async (): Promise<string[]> => {
    const { id } = await talk.say('ada', `@${ben.username} ahoy`);
    const found = () => service.pushed.filter(({ payload }) => payload.id === id);
    await until(() => found().length > 0);
    return found().map(({ device }) => device);
  };
  await page.reload();
  await until(async () => (await devices()).length === 1);
  assert.deepEqual(await pushedTo(), [browser.current?.device]);

  const [lost] = await devices();
  dataOf(await elsewhere.delete(`/push-subscriptions/${lost?.id}`));
  assert.deepEqual(await devices(), []);
  await page.reload();
  await until(async () => (await devices()).length === 1);
  assert.deepEqual(await pushedTo(), [browser.current?.device]);

  for (const renewed of [await service.subscribe(pushKey), null]) {
    service.expire(browser.current?.device);
    browser.current = renewed;
    const sent = page.waitForResponse(
      (answer) => answer.url().endsWith('/push-subscriptions') && answer.request().method() === 'POST',
    );
    await page.reload();
    assert.equal((await sent).status(), 200);
    await until(async () => (await pushedTo()).includes(browser.current?.device as string));
    // The push service rejects the old subscription, which removes it.
    await until(async () => (await devices()).length === 1);
    assert.deepEqual(await pushedTo(), [browser.current?.device]);
  }
});
