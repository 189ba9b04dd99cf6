import { Browser, PASSWORD } from '../../support/account.ts';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { assertRefused, dataOf } from '../../support/expect.ts';
import { until } from '../../support/process.ts';
import { WebClient, withoutWorker } from '../../support/webClient.ts';

let client: WebClient;
before(async () => {
  client = await WebClient.open();
});
afterEach(() => client.surfer.close());
after(() => client?.close());

test("the account's history shows sign-ins, failures and changes, and hostile browser names as text", async () => {
  const { world } = client;
  const user = await world.user();
  const browser = await Browser.claimed(world, user);
  const signIn = (password: string, agent: string) =>
    new Browser(world).post('/sign-in', { name: user.username, password }, { 'user-agent': agent });
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  dataOf(await signIn(PASSWORD, firefox));
  dataOf(await signIn(PASSWORD, '<img src=x onerror=alert(1)>'));
  for (let tried = 0; tried < 2; tried++)
    assertRefused(await signIn('not the password', firefox), 'UNAUTHORIZED');
  const isCounted = async () =>
    dataOf(await browser.get('/history')).some(({ count }: { count: number }) => count === 2);
  await until(isCounted);

  const page = await client.signedIn(user, '/me/history', withoutWorker);
  const list = page.getByRole('list', { name: 'Account history' });
  const failed = list.getByRole('listitem').filter({ hasText: 'Failed sign-in: wrong password' });
  await failed.filter({ hasText: '2 attempts' }).filter({ hasText: 'Firefox on Linux' }).waitFor();
  await list.getByText('<img src=x onerror=alert(1)>').waitFor();
  await list
    .getByRole('listitem')
    .filter({ hasText: 'Signed in' })
    .getByText('with a password')
    .first()
    .waitFor();
  await list.getByText('Account created').waitFor();
  client.assertSound();
});

test('a long history is loaded page by page', async () => {
  const { world } = client;
  const user = await world.user();
  const browser = await Browser.claimed(world, user);
  for (let made = 0; made < 30; made++) {
    const other = await Browser.of(world, user);
    dataOf(await other.post('/sign-out', {}));
    dataOf(await browser.post('/sign-in', { name: user.username, password: PASSWORD }));
  }
  const page = await client.signedIn(user, '/me/history', withoutWorker);
  const list = page.getByRole('list', { name: 'Account history' });
  await list.getByRole('listitem').nth(49).waitFor();
  await page.getByRole('button', { name: 'Show more' }).click();
  await list.getByText('Account created').waitFor();
});
