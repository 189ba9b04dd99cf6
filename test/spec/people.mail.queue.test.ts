import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { countFailing } from '../../server/src/db/failures.ts';
import { Browser, PASSWORD } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { type MailScene, openMailScene } from '../support/mailScene.ts';
import { until } from '../support/process.ts';
import { q } from '../support/sources.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * 60_000;
let scene: MailScene;
before(async () => {
  scene = await openMailScene();
});
after(() => scene?.close());
beforeEach(() => scene.nextHour());

test('an inbox gets at most three resets and three confirmations per hour', async () => {
  const { clock, mails, world, newAddress, withEmail, reset, mailTo } = scene;
  const { user, email } = await withEmail();
  for (let count = 0; count < 6; count++) dataOf(await reset(count % 2 ? user.username : email));
  await mailTo(email, 4);
  await world.node.mails?.look();
  const resets = () =>
    mails.mails.filter(({ to, headers }) => to === email && headers.subject === 'Reset your password');
  assert.equal(resets().length, 3);
  // The limit does not reveal whether a name exists either.
  for (let count = 0; count < 5; count++) dataOf(await reset('nobody.at.all'));

  const stranger = newAddress();
  for (let count = 0; count < 3; count++)
    dataOf(await (await Browser.claimed(world, await world.user())).post('/email', { email: stranger }));
  const one = await Browser.claimed(world, await world.user());
  const refused = await one.post('/email', { email: stranger });
  assertRefused(refused, 'RATE_LIMITED');
  assert.equal(refused.headers.get('retry-after'), '3600');
  for (let count = 0; count < 6; count++) dataOf(await one.post('/email', { email: newAddress() }));
  assertRefused(
    await one.post('/email', { email: newAddress() }),
    'RATE_LIMITED',
    'each to a different stranger',
  );
  clock.advance(HOUR_MS);
  dataOf(await one.post('/proof', { password: PASSWORD }));
  dataOf(await one.post('/email', { email: stranger }));
  await mailTo(stranger, 3);
});

test('names cannot inject text into an email, and an address cannot contain several', async () => {
  const { world, withEmail, reset, mailTo } = scene;
  const name = 'Eve\r\nBcc: all@example.org\r\n\r\n<img src=x onerror=alert(1)> & "friends"';
  const { user, email } = await withEmail('Eve');
  // Names with line breaks are rejected now, but data from earlier versions may have them.
  await world.data.db.write((tx) => tx.run(q.updateTable('user').set({ name }).where('id', '=', user.id)));
  dataOf(await reset(user.username));
  const mail = await mailTo(email, 2);
  assert.equal(mail.headers.bcc, undefined);
  assert.equal(mail.headers.subject, 'Reset your password');
  assert.ok(mail.html.includes('&lt;img src=x'), mail.html);
  assert.doesNotMatch(mail.html, /<img/);
  assert.match(mail.text, /^Hello Eve Bcc: all@example.org/, 'on one line');
  const browser = await Browser.claimed(world, await world.user());
  for (const hostile of [
    'a@example.org\r\nBcc: b@example.org',
    'a@example.org, b@example.org',
    'a@example.org b@example.org',
    '<a@example.org>',
    '"a b"@example.org',
    'a@example.org\u0000',
    'a@[127.0.0.1]',
    'a@localhost',
    'a@-example.org',
    '@example.org',
    'ä@example.org',
    `${'x'.repeat(65)}@example.org`,
  ])
    assertRefused(await browser.post('/email', { email: hostile }), 'INVALID_REQUEST', hostile, 'email');
});

test('an email that is temporarily rejected is retried with backoff, and eventually dropped', async () => {
  const { clock, mails, world, newAddress, withEmail, reset, waiting, mailTo } = scene;
  const browser = await Browser.claimed(world, await world.user());
  const email = newAddress();
  mails.refusals.push(451, 421);
  let tried = mails.tried;
  const done = (times: number) => until(() => mails.tried === tried + times);
  dataOf(await browser.post('/email', { email }));
  await done(1);
  await world.node.mails?.look();
  await world.node.mails?.look();
  assert.equal(mails.tried, tried + 1, 'it is queued');
  clock.advance(MINUTE_MS);
  await world.node.mails?.look();
  assert.equal(mails.tried, tried + 2);
  clock.advance(MINUTE_MS);
  await world.node.mails?.look();
  assert.equal(mails.tried, tried + 2, 'for twice as long');
  clock.advance(MINUTE_MS);
  await world.node.mails?.look();
  assert.equal((await mailTo(email)).headers.subject, 'Confirm your email address');

  tried = mails.tried;
  mails.refusals.push(550);
  dataOf(await browser.post('/email', { email: newAddress() }));
  await done(1);
  await world.node.mails?.look();
  assert.deepEqual(await waiting(), [], 'rejected permanently');
  clock.advance(HOUR_MS);
  await world.node.mails?.look();
  assert.equal(mails.tried, tried + 1);

  // An expired link is not sent.
  const { user } = await withEmail();
  tried = mails.tried;
  mails.refusals.push(451);
  dataOf(await reset(user.username));
  await done(1);
  clock.advance(HOUR_MS);
  await world.node.mails?.look();
  assert.equal(mails.tried, tried + 1);
  assert.deepEqual(await waiting(), []);
});

test('a deferred email does not block the others, and is counted as failing', async () => {
  const { clock, mails, world, newAddress, waiting } = scene;
  const browser = await Browser.claimed(world, await world.user());
  const failing = async () => (await countFailing(world.data.db.read)).mail;
  assert.equal(await failing(), 0);
  const addresses = [newAddress(), newAddress(), newAddress()];
  const tried = mails.tried;
  mails.refusals.push(451);
  for (const email of addresses) dataOf(await browser.post('/email', { email }));
  await until(() => mails.tried === tried + addresses.length);
  await until(async () => (await waiting()).length === 1);
  await until(async () => (await failing()) === 1);
  clock.advance(HOUR_MS);
  await world.node.mails?.look();
  assert.equal(await failing(), 0);
  for (const email of addresses)
    assert.ok(
      mails.mails.some(({ to }) => to === email),
      email,
    );
});

test('queued emails are encrypted, and sent ones are deleted', async () => {
  const { clock, mails, world, withEmail, reset, rowsOf, waiting, mailTo } = scene;
  const { user, email, browser } = await withEmail();
  mails.refusals.push(451);
  const tried = mails.tried;
  dataOf(await reset(email));
  await until(() => mails.tried === tried + 1);
  const kept = JSON.stringify(await rowsOf(user.id));
  assert.doesNotMatch(kept, /link_plv_|password|Hello/);
  assert.ok(!kept.includes(email));
  assert.equal((await waiting()).length, 1);
  clock.advance(MINUTE_MS);
  await world.node.mails?.look();
  await mailTo(email, 2);
  await world.node.mails?.look();
  assert.ok((await rowsOf(user.id)).every(({ sealed, dueAt }) => sealed === null && dueAt === null));
  const metrics = (await (await fetch(`${world.url}/metrics`)).text()) as string;
  assert.match(metrics, /^palaver_mails_total\{outcome="sent"\} [1-9]/m);
  assert.match(metrics, /^palaver_mails_total\{outcome="failed"\} [1-9]/m);
  assert.match(metrics, /^palaver_mails_total\{outcome="deferred"\} [1-9]/m);
  assert.match(metrics, /^palaver_mails_waiting 0$/m);
  clock.advance(HOUR_MS);
  await world.tidy();
  assert.deepEqual(await rowsOf(user.id), []);
  dataOf(await browser.get('/me'));
});
