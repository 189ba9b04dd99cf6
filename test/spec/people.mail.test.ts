import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Browser, linkFor, PASSWORD } from '../support/account.ts';
import { appShows } from '../support/app.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { ADDRESS, type MailScene, openMailScene } from '../support/mailScene.ts';
import { tokenIn } from '../support/mailServer.ts';
import { until } from '../support/process.ts';
import { change, find, insert, type NewRow, update } from '../support/sources.ts';
import { World } from '../support/world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * 60_000;
let scene: MailScene;
before(async () => {
  scene = await openMailScene();
});
after(() => scene?.close());
beforeEach(() => scene.nextHour());

test('opening the emailed link confirms an address, and the link is sent once', async () => {
  const { clock, mails, world, newAddress, signIn, mailTo } = scene;
  assert.equal(dataOf(await new Browser(world).get('/entrance')).sendsMails, true);
  const browser = await Browser.claimed(world, await world.user());
  const email = newAddress();
  const asked = dataOf(await browser.post('/email', { email: email.toUpperCase() }));
  assert.equal(asked.email, email);
  assert.equal(asked.expiresAt, clock.at + 24 * HOUR_MS);
  const mail = await mailTo(email);
  assert.equal(mail.headers.from, 'Palaver <palaver@example.com>');
  assert.equal(mail.headers.subject, 'Confirm your email address');
  assert.equal(mail.headers['auto-submitted'], 'auto-generated');
  const token = tokenIn(mail);
  assert.ok(mail.text.split('\r\n').includes(`${ADDRESS}/welcome#${token}`), mail.text);
  assert.ok(mail.html.includes(`<a href="${ADDRESS}/welcome#${token}">`), mail.html);
  assert.doesNotMatch(mail.html, /<img|<script|<style|src=/i);
  assert.equal(dataOf(await browser.get('/me')).email, null);
  const shown = dataOf(await new Browser(world).post('/links/look', { token }));
  assert.deepEqual([shown.purpose, shown.username, shown.name], ['email', null, null]);
  assert.equal(dataOf(await browser.post('/email/verify', { token })).email, email);
  assertRefused(await browser.post('/email/verify', { token }), 'NOT_FOUND');
  dataOf(await signIn(email));
  await world.node.mails?.look();
  const subjects = mails.mails.filter(({ to }) => to === email).map(({ headers }) => headers.subject);
  // Emails are sent concurrently, so the last two may arrive in any order.
  assert.equal(subjects[0], 'Confirm your email address');
  assert.deepEqual(subjects.slice(1).sort(), ['New sign-in to your account', 'Your account has changed']);
});

test("requested emails use the chosen language, or else the browser's", async () => {
  const { world, withEmail, mailTo } = scene;
  const { user, browser, email } = await withEmail();
  const reset = (headers: Record<string, string>) =>
    new Browser(world).post('/password/reset', { name: user.username }, headers);
  dataOf(await reset({ 'accept-language': 'fr, de-AT;q=0.9, en;q=0.1' }));
  const german = await mailTo(email, 2);
  assert.equal(german.headers.subject, '=?UTF-8?Q?Passwort_zur=C3=BCcksetzen?=');
  assert.match(german.text, /^Hallo .*\r\n/);
  assert.match(german.html, /<html lang="de">/);
  assert.ok(tokenIn(german));
  dataOf(await reset({ 'accept-language': 'de', cookie: 'palaver-language=en' }));
  assert.equal((await mailTo(email, 3)).headers.subject, 'Reset your password');
  dataOf(await browser.post('/email', { email: 'b@example.org' }, { 'accept-language': 'de' }));
  assert.match((await mailTo('b@example.org')).text, /^Jemand, der bei/);
  dataOf(await browser.post('/email', { email: 'c@example.org' }, { 'accept-language': 'fr' }));
  assert.match((await mailTo('c@example.org')).text, /^Someone/);
});

test('only the person who requested it can confirm an address, in time, with the latest link', async () => {
  const { clock, world, newAddress, claim, mailTo } = scene;
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

test('whether another account uses an address is only revealed to readers of its mailbox', async () => {
  const { world, withEmail, mailTo } = scene;
  const { email } = await withEmail();
  const browser = await Browser.claimed(world, await world.user());
  assert.equal(dataOf(await browser.post('/email', { email })).email, email);
  const token = tokenIn(await mailTo(email, 2));
  assertRefused(await browser.post('/email/verify', { token }), 'ALREADY_EXISTS');
  assert.equal(dataOf(await browser.get('/me')).email, null);
});

test('changing or removing the address requires a confirmed identity and notifies the previous address', async () => {
  const { clock, newAddress, withEmail, signIn, mailTo } = scene;
  const { browser, email } = await withEmail();
  clock.advance(10 * MINUTE_MS);
  assertRefused(await browser.post('/email', { email: newAddress() }), 'FORBIDDEN');
  assertRefused(await browser.delete('/email'), 'FORBIDDEN');
  dataOf(await browser.post('/proof', { password: PASSWORD }));
  const next = newAddress();
  dataOf(await browser.post('/email', { email: next }));
  dataOf(await browser.post('/email/verify', { token: tokenIn(await mailTo(next)) }));
  assert.match((await mailTo(email, 2)).text, /no longer uses this email address/);
  assert.match((await mailTo(next, 1)).text, /now uses this email address/);
  assert.equal(dataOf(await browser.delete('/email')).email, null);
  await mailTo(next, 2);
  assertRefused(await browser.delete('/email'), 'NOT_FOUND');
  assertRefused(await signIn(next), 'UNAUTHORIZED');
});

test('the emailed link resets a forgotten password once, and ends all sessions', async () => {
  const { withEmail, reset, claim, signIn, mailTo } = scene;
  const { user, browser, email } = await withEmail();
  const answer = dataOf(await reset(user.username));
  assert.deepEqual(Object.keys(answer).sort(), ['createdAt', 'expiresAt', 'id', 'updatedAt']);
  const mail = await mailTo(email, 2);
  const token = tokenIn(mail);
  assert.ok(mail.text.includes(user.username));
  dataOf(await reset(email.toUpperCase()));
  const second = tokenIn(await mailTo(email, 3));
  dataOf(await claim(token));
  assert.match((await mailTo(email, 4)).text, /has a new password/);
  assertRefused(await browser.get('/me'), 'UNAUTHORIZED');
  assertRefused(await claim(token), 'NOT_FOUND');
  assertRefused(await claim(second), 'NOT_FOUND', 'using one link invalidates all');
  assertRefused(await signIn(user.username), 'UNAUTHORIZED');
  dataOf(await signIn(user.username, 'a new horse altogether'));
});

test('a reset link expires after an hour, or when the address or password changes', async () => {
  const { clock, withEmail, reset, claim, signIn, mailTo } = scene;
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

test('two-factor authentication is required before an emailed link takes effect', async () => {
  const { clock, withEmail, reset, claim, signIn, mailTo } = scene;
  const { browser, email, user } = await withEmail();
  const { secret } = dataOf(await browser.post('/second-factor'));
  dataOf(await browser.post('/second-factor/confirm', { code: appShows(secret, clock.at) }));
  assert.match((await mailTo(email, 2)).text, /now has two-factor authentication/);
  clock.advance(MINUTE_MS);
  dataOf(await reset(user.username));
  const token = tokenIn(await mailTo(email, 3));
  const refused = await claim(token);
  assertRefused(refused, 'UNAUTHORIZED');
  assert.deepEqual(refused.body.error.details, { need: 'code' });
  assert.deepEqual(refused.headers.getSetCookie(), []);
  dataOf(await browser.get('/me'), 'nothing has changed yet');
  dataOf(await claim(token, { code: appShows(secret, clock.at) }));
  const asked = await signIn(user.username, 'a new horse altogether');
  assert.deepEqual(asked.body.error.details, { need: 'code' }, 'two-factor authentication stays enabled');
});

test('new recovery codes and the removal of two-factor authentication are reported by email', async () => {
  const { clock, withEmail, mailTo } = scene;
  const { browser, email } = await withEmail();
  const { secret } = dataOf(await browser.post('/second-factor'));
  dataOf(await browser.post('/second-factor/confirm', { code: appShows(secret, clock.at) }));
  await mailTo(email, 2);
  dataOf(await browser.post('/recovery-codes'));
  assert.match((await mailTo(email, 3)).text, /has new recovery codes/);
  dataOf(await browser.delete('/second-factor'));
  assert.match((await mailTo(email, 4)).text, /no longer has two-factor authentication/);
});

test('a reset responds the same for unknown names and accounts without an address', async () => {
  const { mails, world, withEmail, reset } = scene;
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

test("claiming an account with an operator's link sends no email to its address", async () => {
  const { mails, world, newAddress, reset, mailTo } = scene;
  const user = await world.user();
  const email = newAddress();
  const { token } = await linkFor(world, user, 'claim', email);
  const browser = new Browser(world);
  assert.equal(dataOf(await browser.post('/links/claim', { token, password: PASSWORD })).email, email);
  dataOf(await reset(email));
  await mailTo(email);
  assert.equal(mails.mails.filter(({ to }) => to === email).length, 1);
});

test('an address that is removed during a reset gets no link', async () => {
  const { world, mails, withEmail, reset } = scene;
  const { user, email } = await withEmail();
  await world.node.mails?.look();
  const before = mails.tried;
  const { db } = world.data;
  const write = db.write;
  db.write = async (...given) => {
    db.write = write;
    await write.call(db, (tx) => tx.run(update('person', user.id, { email: null, emailVerified: false })));
    return write.apply(db, given) as never;
  };
  dataOf(await reset(email));
  assert.notEqual((await db.read.first(find('person', { id: user.id })))?.email, email);
  assert.deepEqual(await db.read.all(find('link', { userId: user.id })), []);
  await world.node.mails?.look();
  assert.equal(mails.tried, before);
});

test('recovery removes what an attacker may have added: the address, which is notified, and linked provider accounts', async () => {
  const { world, withEmail, claim, mailTo, signIn } = scene;
  const { user, email } = await withEmail();
  const row = { userId: user.id, provider: 'https://id.example', account: 'other', password: null };
  await change(world.data, ({ db, newRow }) => db.run(insert('identity', { ...newRow(), ...row })));
  const { token } = await linkFor(world, user, 'recovery');
  assert.equal(dataOf(await claim(token)).email, null);
  assert.match((await mailTo(email, 2)).text, /no longer uses this email address/);
  const left = await world.data.db.read.all(find('identity', { userId: user.id }));
  assert.deepEqual(
    left.map(({ provider }) => provider),
    ['credential'],
  );
  assertRefused(await signIn(email, 'a new horse altogether'), 'UNAUTHORIZED');
  dataOf(await signIn(user.username, 'a new horse altogether'));
});

test('emails for a closed account are not sent, but still count towards the limits', async () => {
  const { clock, world, withEmail, rowsOf } = scene;
  const { user, browser } = await withEmail();
  const traces = (await rowsOf(user.id)).length;
  const row = { ...(await rowsOf(user.id))[0], id: world.data.deps.newId(), createdAt: clock.at };
  const waiting = { ...row, sealed: 'text', dueAt: clock.at + HOUR_MS, attempts: 1 };
  await world.data.db.write((tx) => tx.run(insert('mail', waiting as NewRow<'mail'>)));
  dataOf(await browser.post('/close', { username: user.username, messages: 'keep' }));
  const left = await rowsOf(user.id);
  assert.equal(left.length, traces + 1);
  assert.ok(left.every(({ sealed, dueAt }) => sealed === null && dueAt === null));
  assert.equal(left.find(({ id }) => id === row.id)?.forgetAt, clock.at + HOUR_MS);
});

test('a server without email explains the alternative', async () => {
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
