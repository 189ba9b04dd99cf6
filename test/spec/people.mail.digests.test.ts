import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { dataOf } from '../support/expect.ts';
import { ADDRESS, type MailScene, openMailScene } from '../support/mailScene.ts';
import type { Arrived } from '../support/mailServer.ts';
import { Scene } from '../support/scene.ts';
import { find, q } from '../support/sources.ts';
import type { Json } from '../support/world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let mail: MailScene;
let scene: Scene;
before(async () => {
  mail = await openMailScene();
  scene = await Scene.open(mail.world);
});
after(() => mail?.close());

/** A member with a verified address who wants digests, and a way to mention them. */
async function stage(fields: object = { digest: 'mentions' }) {
  const { user, browser, email } = await mail.withEmail('Ada Lovelace');
  await mail.world.member(scene.server, user);
  browser.place = scene.server.id;
  dataOf(await browser.patch('/me', fields));
  const { id: channelId, name: channel } = await scene.channel();
  const mention = (text = 'look'): Promise<Json> =>
    scene.make('/messages', { channelId, content: `@${user.username} ${text}` });
  return { user, browser, email, channelId, channel, mention };
}

/** Lets time pass, then queues and sends what is due. Returns all digests sent to an address. */
async function later(ms: number, email: string): Promise<Arrived[]> {
  mail.clock.advance(ms);
  await mail.world.node.senders.digests?.look();
  await mail.world.node.mails?.look();
  return mail.mails.mails.filter(({ to, headers }) => to === email && 'list-unsubscribe' in headers);
}

const unsubscribeUrl = ({ headers }: Arrived): string => headers['list-unsubscribe']?.slice(1, -1) ?? '';
const here = (url: string): string => url.replace(ADDRESS, mail.world.url);

test('one email lists messages that stayed unread for ten minutes', async () => {
  const { user, email, channel, mention } = await stage();
  const asBen = (await Browser.of(mail.world, scene.owner, scene.server)).api;
  const dm = dataOf(await asBen.post('/conversations', { userIds: [user.id] }));
  await mention('a secret');
  await mention('another');
  dataOf(await asBen.post('/messages', { channelId: dm.id, content: 'a secret' }));
  assert.deepEqual(await later(9 * MINUTE_MS, email), []);
  const [digest, ...others] = await later(2 * MINUTE_MS, email);
  assert.equal(others.length, 0);
  const { text = '', headers = {}, html = '' } = digest ?? {};
  assert.equal(headers.subject, 'You have 3 unread messages');
  assert.equal(
    text.split(`${scene.owner.name} mentioned you in ${channel} (${scene.server.name})`).length,
    3,
  );
  assert.match(text, new RegExp(`${scene.owner.name} sent you a message`));
  assert.doesNotMatch(text + html, /a secret/);
  assert.equal(headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click');
  assert.ok(text.includes(unsubscribeUrl(digest as Arrived)));
  assert.equal((await later(2 * DAY_MS, email)).length, 1, 'the same messages are not mailed again');
});

test('replies and thread messages in a direct message are emailed, and those in channels are not', async () => {
  const { user, browser, email, channelId } = await stage();
  const asBen = (await Browser.of(mail.world, scene.owner, scene.server)).api;
  const dm = dataOf(await asBen.post('/conversations', { userIds: [user.id] }));
  let sent = 0;
  for (const [place, count] of [
    [channelId, 0],
    [dm.id, 2],
  ] as const) {
    const own = dataOf(await browser.api.post('/messages', { channelId: place, content: 'Mine' }));
    dataOf(await asBen.post('/messages', { channelId: place, content: 'An answer', replyToId: own.id }));
    const thread = dataOf(await browser.api.post('/threads', { messageId: own.id }));
    dataOf(await asBen.post('/messages', { threadId: thread.id, content: 'In the thread' }));
    const digests = await later(11 * MINUTE_MS, email);
    sent += Math.sign(count);
    assert.equal(digests.length, sent);
    if (count > 0) assert.equal(digests.at(-1)?.headers.subject, `You have ${count} unread messages`);
  }
});

test('nothing is emailed about read messages, to unverified addresses, or without the setting', async () => {
  const read = await stage();
  await read.mention();
  dataOf(await read.browser.post('/notifications/read', {}));
  assert.deepEqual(await later(11 * MINUTE_MS, read.email), []);

  const off = await stage({ digest: 'off' });
  await off.mention();
  assert.deepEqual(await later(11 * MINUTE_MS, off.email), []);
  assert.equal(dataOf(await off.browser.get('/me')).digest, 'off');

  const changed = await stage();
  await changed.mention();
  await mail.world.data.db.write((tx) =>
    tx.run(q.updateTable('person').set({ emailVerified: false }).where('id', '=', changed.user.id)),
  );
  assert.deepEqual(await later(11 * MINUTE_MS, changed.email), []);

  const muted = await stage();
  dataOf(await muted.browser.patch('/reading/level', { channelId: muted.channelId, level: 'nothing' }));
  await muted.mention();
  assert.deepEqual(await later(11 * MINUTE_MS, muted.email), []);
});

test('in quiet hours, a digest waits until they end', async () => {
  const { email, browser, mention } = await stage();
  const at = (ms: number) => new Date(mail.clock.at + ms).toISOString().slice(11, 16);
  const hours = { from: at(0), to: at(120 * MINUTE_MS), timeZone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7] };
  dataOf(await browser.patch('/me', { quietHours: hours }));
  await mention();
  assert.deepEqual(await later(11 * MINUTE_MS, email), []);
  assert.deepEqual(await later(100 * MINUTE_MS, email), []);
  assert.equal((await later(10 * MINUTE_MS, email)).length, 1);
});

test('later digests wait twice as long each time, up to a day, until the person comes back', async () => {
  const { user, email, browser, mention } = await stage();
  const waits: number[] = [];
  let sent = 0;
  let waited = 0;
  while (sent < 9) {
    await mention();
    waited = 0;
    do {
      waited += 5 * MINUTE_MS;
      await later(5 * MINUTE_MS, email);
      const now = (await later(0, email)).length;
      if (now > sent) break;
    } while (waited <= 2 * DAY_MS);
    sent++;
    waits.push(waited);
  }
  assert.deepEqual(
    waits.map((ms) => ms / MINUTE_MS),
    [10, 20, 40, 80, 160, 320, 640, 1280, 1440],
  );
  // A session's uses are recorded shortly afterwards, at most once a minute.
  await mail.world.data.db.write((tx) =>
    tx.run(
      q
        .updateTable('session')
        .set({ lastUsedAt: mail.clock.at + 1 })
        .where('userId', '=', user.id),
    ),
  );
  dataOf(await browser.post('/notifications/read', {}));
  await mention();
  assert.equal((await later(10 * MINUTE_MS, email)).length, sent + 1);
});

test('one POST without a session unsubscribes, but a GET does not', async () => {
  const { user, email, browser, mention } = await stage();
  await mention();
  const [digest] = await later(11 * MINUTE_MS, email);
  const url = here(unsubscribeUrl(digest as Arrived));
  const page = await fetch(url, { headers: { accept: 'text/html', 'accept-language': 'de' } });
  const text = await page.text();
  assert.equal(page.status, 200);
  assert.match(text, /<form method="post"><button>E-Mails abbestellen/);
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  assert.equal(dataOf(await browser.get('/me')).digest, 'mentions');
  const { token } = Object.fromEntries(new URL(url).searchParams);
  for (const bad of ['', 'x', `${token}x`, `${scene.owner.id}.${token?.split('.')[1]}`, `${token}.a`]) {
    const refused = await fetch(`${mail.world.url}/unsubscribe?token=${bad}`, { method: 'POST' });
    assert.equal(refused.status, 404, bad);
  }
  assert.equal(dataOf(await browser.get('/me')).digest, 'mentions');
  const form = new FormData();
  form.set('List-Unsubscribe', 'One-Click');
  for (const body of [new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }), form]) {
    dataOf(await browser.patch('/me', { digest: 'mentions' }));
    assert.equal((await fetch(url, { method: 'POST', body })).status, 200);
    assert.equal(dataOf(await browser.get('/me')).digest, 'off');
  }
  await mention();
  assert.equal((await later(DAY_MS, email)).length, 1);
  assert.equal(await mail.world.data.db.read.first(find('emailDigest', { id: user.id })), undefined);
});

test('digests use the language that the person chose, and show no content if pushes show none', async () => {
  const { email, mention } = await stage({ digest: 'mentions', language: 'de', pushContent: 'nothing' });
  await mention();
  const [digest] = await later(11 * MINUTE_MS, email);
  assert.equal(digest?.headers.subject, 'Du hast eine ungelesene Nachricht');
  assert.doesNotMatch(digest?.text ?? '', new RegExp(scene.owner.name));
});
