import { Browser, PASSWORD } from './account.ts';
import { dataOf } from './expect.ts';
import { type Arrived, MailServer, tokenIn } from './mailServer.ts';
import { find, q } from './sources.ts';
import { type Answer, type Json, TestClock, World } from './world.ts';

const HOUR_MS = 60 * 60_000;
/** The server's address, with which links start. */
export const ADDRESS = 'https://chat.example.com';

export type MailScene = Awaited<ReturnType<typeof openMailScene>>;

/** A server that sends emails, the SMTP server that receives them, and people with addresses. */
export async function openMailScene() {
  const clock = new TestClock();
  const mails = await MailServer.open();
  const world = await World.open({
    clock,
    mail: mails.settings(ADDRESS),
  });
  let number = 0;
  const newAddress = (): string => `person.${++number}@example.org`;

  /** Sends queued emails. Returns an email to this address, after skipping the first `after`. */
  async function mailTo(email: string, after = 0): Promise<Arrived> {
    await world.node.mails?.look();
    return mails.mailTo(email, after);
  }

  /** A person with a password and a verified address. */
  async function withEmail(name?: string): Promise<{ user: Json; browser: Browser; email: string }> {
    const user = await world.user(name === undefined ? {} : { name });
    const browser = await Browser.claimed(world, user);
    const email = newAddress();
    dataOf(await browser.post('/email', { email }));
    const token = tokenIn(await mailTo(email));
    dataOf(await browser.post('/email/verify', { token }));
    // Waits for the email to the confirmed address.
    await mailTo(email, 1);
    return { user, browser, email };
  }

  return {
    clock,
    mails,
    world,
    newAddress,
    mailTo,
    withEmail,
    reset: (name: string): Promise<Answer> => new Browser(world).post('/password/reset', { name }),
    claim: (token: string, fields: object = {}): Promise<Answer> =>
      new Browser(world).post('/links/claim', { token, password: 'a new horse altogether', ...fields }),
    signIn: (name: string, password = PASSWORD): Promise<Answer> =>
      new Browser(world).post('/sign-in', { name, password }),
    rowsOf: (userId: string) => world.data.db.read.all(find('mail', { userId })),
    waiting: () => world.data.db.read.all(q.selectFrom('mail').selectAll().where('dueAt', 'is not', null)),
    /** Sends all emails, and starts a new hour for the hourly limits on emails. */
    async nextHour(): Promise<void> {
      await world.node.mails?.look();
      clock.advance(2 * HOUR_MS);
    },
    async close(): Promise<void> {
      await world.close();
      await mails.stop();
    },
  };
}
