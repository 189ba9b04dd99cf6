import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser, PASSWORD } from '../support/account.ts';
import { dataOf } from '../support/expect.ts';
import { type MailScene, openMailScene } from '../support/mailScene.ts';

// Emails about sign-ins from unknown browsers, and their limits.

let scene: MailScene;
before(async () => {
  scene = await openMailScene();
});
after(() => scene.close());

const subjectsTo = async (email: string): Promise<string[]> => {
  await scene.world.node.mails?.look();
  return scene.mails.mails.filter(({ to }) => to === email).map(({ headers }) => headers.subject as string);
};

const NEW_SIGN_IN = 'New sign-in to your account';

test('a sign-in from another browser is reported by email, but one from a known browser is not', async () => {
  const { browser, user, email } = await scene.withEmail();
  const signIn = (from: Browser, agent: string) =>
    from.post('/sign-in', { name: user.username, password: PASSWORD }, { 'user-agent': agent });
  const before = (await subjectsTo(email)).length;
  dataOf(await signIn(browser, 'Known'));
  assert.equal((await subjectsTo(email)).length, before);
  dataOf(await signIn(new Browser(scene.world), 'Strange <b>browser</b>'));
  assert.deepEqual((await subjectsTo(email)).slice(before), [NEW_SIGN_IN]);
  const mail = scene.mails.mails.filter(({ to }) => to === email).at(-1);
  assert.match(mail?.text ?? '', /Strange <b>browser<\/b>/);
  assert.doesNotMatch(mail?.html ?? '', /<b>/);
});

test('somebody who knows the password cannot flood the mailbox, or use up the quota for emails about other changes', async () => {
  const { browser, user, email } = await scene.withEmail();
  const before = (await subjectsTo(email)).length;
  for (let tried = 0; tried < 8; tried++)
    dataOf(await new Browser(scene.world).post('/sign-in', { name: user.username, password: PASSWORD }));
  const mailed = (await subjectsTo(email)).slice(before);
  assert.deepEqual(mailed, Array(4).fill(NEW_SIGN_IN));
  dataOf(await browser.post('/password', { password: PASSWORD, newPassword: 'a new horse altogether' }));
  dataOf(await browser.delete('/email'));
  assert.deepEqual((await subjectsTo(email)).slice(before + 4), [
    'Your account has changed',
    'Your account has changed',
  ]);
});
