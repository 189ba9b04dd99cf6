import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser, PASSWORD } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { type MailScene, openMailScene } from '../support/mailScene.ts';

const AT_ONCE = 12;
const HOURLY = 3;
let scene: MailScene;
before(async () => {
  scene = await openMailScene();
});
after(() => scene?.close());

test('many concurrent resets, by name and by address, send three emails', async () => {
  const { withEmail, nextHour, reset, rowsOf } = scene;
  const { user, email } = await withEmail();
  await nextHour();
  const before = (await rowsOf(user.id)).length;
  const names = [user.username as string, email];
  const asked = Array.from({ length: AT_ONCE }, (_, number) => reset(names[number % 2] as string));
  for (const answer of await Promise.all(asked)) dataOf(answer);
  assert.equal((await rowsOf(user.id)).length - before, HOURLY);
});

test('many people who enter the same address concurrently send it three emails', async () => {
  const { world, newAddress, nextHour, mails } = scene;
  const people: Browser[] = [];
  for (let number = 0; number < 2 * HOURLY; number++)
    people.push(await Browser.claimed(world, await world.user()));
  await nextHour();
  await Promise.all(people.map((person) => person.post('/proof', { password: PASSWORD })));
  const email = newAddress();
  const answers = await Promise.all(people.map((person) => person.post('/email', { email })));
  const [sent, refused] = [
    answers.filter(({ status }) => status < 300),
    answers.filter(({ status }) => status >= 300),
  ];
  assert.deepEqual([sent.length, refused.length], [HOURLY, HOURLY]);
  for (const answer of refused) assertRefused(answer, 'RATE_LIMITED');
  await world.node.mails?.look();
  assert.equal(mails.mails.filter(({ to }) => to === email).length, HOURLY);
});
