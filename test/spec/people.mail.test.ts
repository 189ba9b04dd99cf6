import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Browser, linkFor, PASSWORD } from '../support/account.ts';
import { appShows } from '../support/app.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { type Arrived, MailServer, tokenIn } from '../support/mailServer.ts';
import { until } from '../support/process.ts';
import { find, q } from '../support/sources.ts';
import { type Answer, type Json, TestClock, World } from '../support/world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ADDRESS = 'https://chat.example.com';
const clock = new TestClock();
let mails: MailServer;
let world: World;
before(async () => {
  mails = await MailServer.open();
  world = await World.open({
    clock,
    mail: {
      server: mails.url,
      login: '',
      sender: { name: 'Palaver', address: 'palaver@example.com' },
      tls: 'off',
      hourly: 1000,
      address: ADDRESS,
    },
  });
});
after(async () => {
  await world?.close();
  await mails?.stop();
});
beforeEach(async () => {
  await world.node.mails?.look();
  // Each test has the bounds of an hour for itself.
  clock.advance(2 * HOUR_MS);
});

/** A mail to an address, sent by now. */
async function mailTo(email: string, after = 0): Promise<Arrived> {
  await world.node.mails?.look();
  return mails.mailTo(email, after);
}

let number = 0;
const newAddress = (): string => `person.${++number}@example.org`;

/** A person with a password and a verified address. */
async function withEmail(name?: string): Promise<{ user: Json; browser: Browser; email: string }> {
  const user = await world.user(name === undefined ? {} : { name });
  const browser = await Browser.claimed(world, user);
  const email = newAddress();
  dataOf(await browser.post('/email', { email }));
  const token = tokenIn(await mailTo(email));
  dataOf(await browser.post('/email/verify', { token }));
  // Of the address that was confirmed.
  await mailTo(email, 1);
  return { user, browser, email };
}

const reset = (name: string): Promise<Answer> => new Browser(world).post('/password/reset', { name });
const claim = (token: string, fields: object = {}): Promise<Answer> =>
  new Browser(world).post('/links/claim', { token, password: 'a new horse altogether', ...fields });
const signIn = (name: string, password = PASSWORD): Promise<Answer> =>
  new Browser(world).post('/sign-in', { name, password });
const rowsOf = (userId: string) => world.data.db.read.all(find('mail', { userId }));
const waiting = () => world.data.db.read.all(q.selectFrom('mail').selectAll().where('dueAt', 'is not', null));

test('an address becomes that of the account by the link in a mail, which is sent once', async () => {
  const browser = await Browser.claimed(world, await world.user());
  const email = newAddress();
  const asked = dataOf(await browser.post('/email', { email: email.toUpperCase() }));
  assert.equal(asked.email, email);
  assert.equal(asked.expiresAt, clock.at + 24 * HOUR_MS);
  const mail = await mailTo(email);
  assert.equal(mail.headers.from, 'Palaver <palaver@example.com>');
  assert.equal(mail.headers.subject, 'Confirm your e-mail address');
  assert.equal(mail.headers['auto-submitted'], 'auto-generated');
  const token = tokenIn(mail);
  assert.ok(mail.text.split('\r\n').includes(`${ADDRESS}/welcome#${token}`), mail.text);
  assert.ok(mail.html.includes(`<a href="${ADDRESS}/welcome#${token}">`), mail.html);
  assert.doesNotMatch(mail.html, /<img|<script|<style|src=/i);
  assert.equal(dataOf(await browser.get('/me')).email, null);
  assert.equal(dataOf(await new Browser(world).post('/links/look', { token })).purpose, 'email');
  assert.equal(dataOf(await browser.post('/email/verify', { token })).email, email);
  assertRefused(await browser.post('/email/verify', { token }), 'NOT_FOUND');
  dataOf(await signIn(email));
  await world.node.mails?.look();
  assert.equal(mails.mails.filter(({ to }) => to === email).length, 2, 'the link, and a notice');
});

test('only who asked for it confirms an address, in time, and the last link counts', async () => {
  const browser = await Browser.claimed(world, await world.user());
  const [email, next] = [newAddress(), newAddress()];
  dataOf(await browser.post('/email', { email }));
  const token = tokenIn(await mailTo(email));
  const other = await Browser.claimed(world, await world.user());
  assertRefused(await other.post('/email/verify', { token }), 'NOT_FOUND');
  assertRefused(await new Browser(world).post('/email/verify', { token }), 'UNAUTHORIZED');
  assertRefused(await claim(token), 'INVALID_REQUEST', '', 'token');
  dataOf(await browser.post('/email', { email: next }));
  assertRefused(await browser.post('/email/verify', { token }), 'NOT_FOUND');
  const last = tokenIn(await mailTo(next));
  clock.advance(24 * HOUR_MS);
  assertRefused(await browser.post('/email/verify', { token: last }), 'NOT_FOUND');
});

test('nothing tells of an address that another account has, but to those who read its mail', async () => {
  const { email } = await withEmail();
  const browser = await Browser.claimed(world, await world.user());
  assert.equal(dataOf(await browser.post('/email', { email })).email, email);
  const token = tokenIn(await mailTo(email, 2));
  assertRefused(await browser.post('/email/verify', { token }), 'ALREADY_EXISTS');
  assert.equal(dataOf(await browser.get('/me')).email, null);
});

test('a change of the address, and its removal, need a proof and are told to the former one', async () => {
  const { browser, email } = await withEmail();
  clock.advance(10 * MINUTE_MS);
  assertRefused(await browser.post('/email', { email: newAddress() }), 'FORBIDDEN');
  assertRefused(await browser.delete('/email'), 'FORBIDDEN');
  dataOf(await browser.post('/proof', { password: PASSWORD }));
  const next = newAddress();
  dataOf(await browser.post('/email', { email: next }));
  dataOf(await browser.post('/email/verify', { token: tokenIn(await mailTo(next)) }));
  assert.match((await mailTo(email, 2)).text, /no longer has this e-mail address/);
  assert.match((await mailTo(next, 1)).text, /has an e-mail address that was confirmed/);
  assert.equal(dataOf(await browser.delete('/email')).email, null);
  await mailTo(next, 2);
  assertRefused(await browser.delete('/email'), 'NOT_FOUND');
  assertRefused(await signIn(next), 'UNAUTHORIZED');
});

test('a forgotten password is replaced by the link in a mail, once, and all sessions end', async () => {
  const { user, browser, email } = await withEmail();
  const answer = dataOf(await reset(user.username));
  assert.deepEqual(Object.keys(answer).sort(), ['createdAt', 'expiresAt', 'id', 'updatedAt']);
  const mail = await mailTo(email, 2);
  const token = tokenIn(mail);
  assert.ok(mail.text.includes(user.username));
  dataOf(await reset(email.toUpperCase()));
  const second = tokenIn(await mailTo(email, 3));
  dataOf(await claim(token));
  assertRefused(await browser.get('/me'), 'UNAUTHORIZED');
  assertRefused(await claim(token), 'NOT_FOUND');
  assertRefused(await claim(second), 'NOT_FOUND', 'one use ends all');
  assertRefused(await signIn(user.username), 'UNAUTHORIZED');
  dataOf(await signIn(user.username, 'a new horse altogether'));
  assert.match((await mailTo(email, 4)).text, /has a new password/);
});

test('a link for a new password lasts an hour, and ends with the address and with another password', async () => {
  const { user, browser, email } = await withEmail();
  dataOf(await reset(email));
  const late = tokenIn(await mailTo(email, 2));
  clock.advance(HOUR_MS);
  assertRefused(await claim(late), 'NOT_FOUND');
  dataOf(await browser.post('/proof', { password: PASSWORD }));
  dataOf(await reset(email));
  const token = tokenIn(await mailTo(email, 3));
  dataOf(await browser.post('/password', { password: PASSWORD, newPassword: 'something else entirely' }));
  assertRefused(await claim(token), 'NOT_FOUND');
  await mailTo(email, 4);
  dataOf(await reset(email));
  const third = tokenIn(await mailTo(email, 5));
  dataOf(await browser.delete('/email'));
  assertRefused(await claim(third), 'NOT_FOUND');
  assertRefused(await signIn(user.username, 'a new horse altogether'), 'UNAUTHORIZED');
});

test('a second factor is asked for before a link of a mail does anything', async () => {
  const { browser, email, user } = await withEmail();
  const { secret } = dataOf(await browser.post('/second-factor'));
  dataOf(await browser.post('/second-factor/confirm', { code: appShows(secret, clock.at) }));
  assert.match((await mailTo(email, 2)).text, /has a second factor now/);
  clock.advance(MINUTE_MS);
  dataOf(await reset(user.username));
  const token = tokenIn(await mailTo(email, 3));
  const refused = await claim(token);
  assertRefused(refused, 'UNAUTHORIZED');
  assert.deepEqual(refused.body.error.details, { need: 'code' });
  assert.deepEqual(refused.headers.getSetCookie(), []);
  dataOf(await browser.get('/me'), 'nothing has happened yet');
  dataOf(await claim(token, { code: appShows(secret, clock.at) }));
  const asked = await signIn(user.username, 'a new horse altogether');
  assert.deepEqual(asked.body.error.details, { need: 'code' }, 'the factor stays');
});

test('unknown names, and accounts without an address, are answered as others are', async () => {
  const before = mails.tried;
  const { user } = await withEmail();
  const plain = await world.user();
  await Browser.claimed(world, plain);
  const agent = await world.user({ agent: true });
  const answers = [];
  for (const name of [
    user.username,
    plain.username,
    agent.username,
    'nobody',
    'nobody@example.org',
    "' or 1=1",
  ])
    answers.push(await reset(name));
  for (const { status, body } of answers) {
    assert.equal(status, 200);
    const { createdAt, updatedAt, expiresAt } = body.data;
    assert.deepEqual([updatedAt - createdAt, expiresAt - createdAt], [0, HOUR_MS]);
  }
  await until(() => mails.tried === before + 3);
  await world.node.mails?.look();
  assert.equal(mails.tried, before + 3, 'a link, a notice and one reset');
});

test('nobody floods an inbox: three resets and three confirmations in an hour', async () => {
  const { user, email } = await withEmail();
  for (let count = 0; count < 6; count++) dataOf(await reset(count % 2 ? user.username : email));
  await mailTo(email, 4);
  await world.node.mails?.look();
  const resets = () =>
    mails.mails.filter(({ to, headers }) => to === email && headers.subject === 'A new password');
  assert.equal(resets().length, 3);
  // Whether a name is known does not show at the bound either.
  for (let count = 0; count < 5; count++) dataOf(await reset('nobody.at.all'));

  const stranger = newAddress();
  for (let count = 0; count < 3; count++)
    dataOf(await (await Browser.claimed(world, await world.user())).post('/email', { email: stranger }));
  const one = await Browser.claimed(world, await world.user());
  const refused = await one.post('/email', { email: stranger });
  assertRefused(refused, 'RATE_LIMITED');
  assert.equal(refused.headers.get('retry-after'), '3600');
  for (let count = 0; count < 6; count++) dataOf(await one.post('/email', { email: newAddress() }));
  assertRefused(await one.post('/email', { email: newAddress() }), 'RATE_LIMITED', 'to one stranger each');
  clock.advance(HOUR_MS);
  dataOf(await one.post('/proof', { password: PASSWORD }));
  dataOf(await one.post('/email', { email: stranger }));
  await mailTo(stranger, 3);
});

test('names cannot write into a mail, and addresses are one address', async () => {
  const name = 'Eve\r\nBcc: all@example.org\r\n\r\n<img src=x onerror=alert(1)> & "friends"';
  const { user, email } = await withEmail(name.slice(0, 100));
  dataOf(await reset(user.username));
  const mail = await mailTo(email, 2);
  assert.equal(mail.headers.bcc, undefined);
  assert.equal(mail.headers.subject, 'A new password');
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

test('a mail that is not taken yet is tried again, later and later, and one that never is is given up', async () => {
  const browser = await Browser.claimed(world, await world.user());
  const email = newAddress();
  mails.refusals.push(451, 421);
  let tried = mails.tried;
  const done = (times: number) => until(() => mails.tried === tried + times);
  dataOf(await browser.post('/email', { email }));
  await done(1);
  await world.node.mails?.look();
  await world.node.mails?.look();
  assert.equal(mails.tried, tried + 1, 'it waits');
  clock.advance(MINUTE_MS);
  await world.node.mails?.look();
  assert.equal(mails.tried, tried + 2);
  clock.advance(MINUTE_MS);
  await world.node.mails?.look();
  assert.equal(mails.tried, tried + 2, 'for twice as long');
  clock.advance(MINUTE_MS);
  await world.node.mails?.look();
  assert.equal((await mailTo(email)).headers.subject, 'Confirm your e-mail address');

  tried = mails.tried;
  mails.refusals.push(550);
  dataOf(await browser.post('/email', { email: newAddress() }));
  await done(1);
  await world.node.mails?.look();
  assert.deepEqual(await waiting(), [], 'refused for ever');
  clock.advance(HOUR_MS);
  await world.node.mails?.look();
  assert.equal(mails.tried, tried + 1);

  // A link that has expired is sent to nobody.
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

test('what waits is encrypted, and what was sent is gone', async () => {
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

test('a link of the operator claims an account with an address, which is told nothing of it', async () => {
  const user = await world.user();
  const email = newAddress();
  const { token } = await linkFor(world, user, 'claim', email);
  const browser = new Browser(world);
  assert.equal(dataOf(await browser.post('/links/claim', { token, password: PASSWORD })).email, email);
  dataOf(await reset(email));
  await mailTo(email);
  assert.equal(mails.mails.filter(({ to }) => to === email).length, 1);
});

test('a server that sends no mails says what to do instead', async () => {
  const silent = await World.open();
  try {
    const browser = await Browser.claimed(silent, await silent.user());
    for (const answer of [
      await browser.post('/email', { email: 'ada@example.com' }),
      await new Browser(silent).post('/password/reset', { name: 'ada' }),
    ]) {
      assertRefused(answer, 'FORBIDDEN');
      assert.match(answer.body.error.message, /palaver user password/);
    }
    assertRefused(await browser.delete('/email'), 'NOT_FOUND');
  } finally {
    await silent.close();
  }
});
