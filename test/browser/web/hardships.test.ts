import assert from 'node:assert/strict';

import { after, before, test } from '../../support/browser.ts';
import { rowOf, Talk } from '../../support/conversation.ts';
import { go } from '../../support/everyPage.ts';
import { fieldIn, say, seen, showsOnce } from '../../support/journey.ts';
import { until } from '../../support/process.ts';
import { signIn, withoutWorker } from '../../support/webClient.ts';
import { listAll } from '../../support/world.ts';

const closed = (name: string) =>
  `Object.defineProperty(window, '${name}', { get() { throw new DOMException('closed', 'SecurityError'); } });`;

/** Browsers whose storage is blocked, fails or is slow, each with the script that simulates it in the page. */
const browsers: Record<string, string> = {
  'whose user has blocked all storage': ['indexedDB', 'localStorage', 'sessionStorage'].map(closed).join(''),
  'whose database never answers':
    'IDBFactory.prototype.open = IDBFactory.prototype.deleteDatabase = () => new EventTarget();',
  'whose database opens late': `{
    const { open } = IDBFactory.prototype;
    IDBFactory.prototype.open = function (...of) {
      const late = {};
      const request = open.apply(this, of);
      const take = () => { late.result = request.result; };
      request.onupgradeneeded = () => { take(); late.onupgradeneeded(); };
      request.onsuccess = () => setTimeout(() => { take(); late.onsuccess(); }, 2_500);
      return late;
    };
  }`,
  'whose database fails': `IDBFactory.prototype.open = () => {
    const request = new EventTarget();
    setTimeout(() => { request.error = new DOMException('closed', 'InvalidStateError'); request.onerror?.(new Event('error')); });
    return request;
  };`,
};

/** Counts the databases and storage entries that are left in the browser. */
const LEFT = `(async () => {
  try { return (await indexedDB.databases()).length + localStorage.length + sessionStorage.length; } catch { return 0; }
})()`;

let talk: Talk;
before(async () => {
  talk = await Talk.open();
});
after(() => talk?.client.close());

test('a browser without storage works while the page is open', async () => {
  for (const [name, script] of Object.entries(browsers)) {
    const page = await talk.client.surfer.page({ baseURL: talk.client.url, ...withoutWorker });
    await page.addInitScript(script);
    await signIn(page.context(), talk.client.world, talk.ada, talk.client.url);
    await page.goto(talk.path());
    await say(page, `from one ${name}`);
    await showsOnce(page, [`from one ${name}`]);
    await talk.say('ben', `to one ${name}`);
    await showsOnce(page, [`from one ${name}`, `to one ${name}`]);
    // The unsent message only exists in the page, which therefore asks before it closes.
    await page.context().setOffline(true);
    await say(page, `without a network, ${name}`);
    const asks = await page.evaluate(
      `(() => { const leaving = new Event('beforeunload', { cancelable: true }); dispatchEvent(leaving); return leaving.defaultPrevented; })()`,
    );
    assert.ok(asks, name);
    await page.context().setOffline(false);
    await showsOnce(page, [`without a network, ${name}`]);
    await fieldIn(page).fill('a draft');
    await page.getByRole('button', { name: 'Emoji' }).last().click();
    await page.getByRole('gridcell', { selected: true }).click();
    await until(async () => /^a draft.+/u.test(await fieldIn(page).inputValue()));
    await page.getByRole('button', { name: /your menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Username or email address').waitFor();
    await until(async () => (await page.evaluate(LEFT)) === 0);
    await page.context().close();
  }
});

test("a browser with a wrong clock sends, uses the server's order, and sets correct expiry times", async () => {
  const DAY = 86_400_000;
  for (const days of [-40, 40]) {
    const page = await talk.client.surfer.page({ baseURL: talk.client.url, ...withoutWorker });
    await page.addInitScript(`{
        const shift = ${days * DAY}, Real = Date, now = Date.now.bind(Date);
        globalThis.Date = class extends Real {
          constructor(...of) { if (of.length > 0) super(...of); else super(now() + shift); }
          static now() { return now() + shift; }
        };
      }`);
    await signIn(page.context(), talk.client.world, talk.ada, talk.client.url);
    await page.goto(talk.path());
    await say(page, `by a clock ${days} days off`);
    await seen(`by a clock ${days} days off`, page);
    await talk.say('ben', `after it, ${days}`);
    await showsOnce(page, [`by a clock ${days} days off`, `after it, ${days}`]);
    await page.goto(`/s/${talk.server.id}/settings/invites`);
    await page.getByRole('button', { name: 'New invite' }).click();
    await page.getByLabel('Expires after').selectOption({ label: '1 hour' });
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByRole('dialog', { name: 'Share this link' }).waitFor();
    const [invite] = (await listAll(talk.as.ada, `/servers/${talk.server.id}/invites`)).slice(-1);
    assert.ok(Math.abs(invite.expiresAt - Date.now() - DAY / 24) < 120_000, `${days}: ${invite.expiresAt}`);
    await page.context().close();
  }
});

test("a browser that cannot get the server's time uses its own clock for links", async () => {
  const page = await talk.client.signedIn(talk.ada, `/s/${talk.server.id}/settings/invites`, withoutWorker);
  await page.route('**/healthz', () => undefined);
  await page.getByRole('button', { name: 'New invite' }).click();
  await page.getByLabel('Expires after').selectOption({ label: '1 hour' });
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByRole('dialog', { name: 'Share this link' }).waitFor();
  await page.context().close();
});

test("while the client loads, it shows the server's outline, which stays until the content is there", async () => {
  const said = await talk.say('ben', 'worth waiting for');
  await talk.readAll('ada');
  const page = await talk.look('ada');
  for (const held of [/\/api\/people\//, /\/snapshot$/]) {
    let release = (): void => undefined;
    const released = new Promise<void>((done) => {
      release = done;
    });
    await page.route(held, async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(talk.path(), { waitUntil: 'commit' });
    await page.locator('.frame > .server-to-come .skeleton').first().waitFor();
    assert.equal(await page.locator('.spinner').count(), 0);
    release();
    await rowOf(page, said).waitFor();
    assert.equal(await page.locator('.server-to-come').count(), 0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  }
  await page.close();
});

test('a slow network shows placeholders, and nothing shifts when the content arrives', async () => {
  const page = await talk.client.signedIn(talk.ada, '/me', {
    ...withoutWorker,
    viewport: { width: 1280, height: 1000 },
  });
  await page.getByRole('heading', { name: 'Profile' }).waitFor();
  await page.route(/\/api\//, async (route) => {
    // Waits long enough to draw a frame without the response.
    await page.evaluate(`new Promise((done) => requestAnimationFrame(() => setTimeout(done, 60)))`);
    await route.continue();
  });
  for (const section of ['members', 'invites', 'keys', 'bans', 'webhooks', 'usage', 'audit']) {
    await page.evaluate(`{
        globalThis.shifts = [];
        globalThis.watch?.disconnect();
        watch = new PerformanceObserver((list) => shifts.push(...list.getEntries().map(({ value }) => value)));
        watch.observe({ type: 'layout-shift' });
      }`);
    await go(page, `/s/${talk.server.id}/settings/${section}`);
    const moved = await page.evaluate<number>('shifts.reduce((sum, one) => sum + one, 0)');
    assert.ok(moved < 0.1, `${section}: ${moved}`);
  }
  // Ignores errors, because some requests are still delayed.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.context().close();
});

test('the page reports no error and makes no requests to other hosts', () => {
  const { complaints } = talk.client.surfer;
  complaints.splice(
    0,
    complaints.length,
    ...complaints.filter((line) => !/ERR_(FAILED|INTERNET)/.test(line)),
  );
  talk.client.assertSound();
});
