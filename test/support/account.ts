import { EventStream } from './eventStream.ts';
import { dataOf } from './expect.ts';
import { addLink, addSession, change, insert } from './sources.ts';
import type { Answer, Client, Json, World } from './world.ts';

export const PASSWORD = 'a horse that nobody rides';

/** The cookies in a `Set-Cookie` header, each with its attributes in lowercase. */
export const cookiesOf = ({ headers }: Answer): { name: string; value: string; attributes: string[] }[] =>
  headers.getSetCookie().map((line) => {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const [name = '', value = ''] = pair.split('=');
    return { name, value, attributes: attributes.map((one) => one.toLowerCase()).sort() };
  });

/** A browser: stores cookies, and sends the server in which its person acts. */
export class Browser {
  readonly world: World;
  /** The `Palaver-Server` header; undefined to send none. */
  place: string | undefined = 'none';
  /** The `Cookie` header; empty to send none. */
  cookie = '';
  /** Another cookie, for a pending sign-in with a provider; empty to send none. */
  binding = '';
  /** The cookie that identifies the accounts to which this browser is known; empty to send none. */
  known = '';

  constructor(world: World) {
    this.world = world;
  }

  /** A browser in which a person is signed in, without their password. */
  static async of(world: World, user: Json, server?: Json, device: string | null = null): Promise<Browser> {
    const browser = new Browser(world);
    const { token } = await change(world.data, (work) => addSession(work, { userId: user.id, device }));
    browser.cookie = `palaver=${token}`;
    if (server) browser.place = server.id;
    return browser;
  }

  /** The browser of a user who has claimed their account and has a password. */
  static async claimed(world: World, user: Json, password = PASSWORD): Promise<Browser> {
    const browser = new Browser(world);
    const { token } = await linkFor(world, user);
    dataOf(await browser.send('POST', '/links/claim', { token, password }));
    return browser;
  }

  /** Sends a request under /api/people, or under another prefix. Stores the cookies from the response. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    prefix = '/api/people',
  ): Promise<Answer> {
    const answer = await this.world.request(method, `${this.world.url}${prefix}${path}`, {
      body,
      headers: {
        ...(this.place !== undefined && { 'palaver-server': this.place }),
        ...((this.cookie || this.binding || this.known) && {
          cookie: [this.cookie, this.binding, this.known].filter((one) => one !== '').join('; '),
        }),
        ...headers,
      },
    });
    for (const { name, value } of cookiesOf(answer)) {
      const kept = value === '' ? '' : `${name}=${value}`;
      if (name.endsWith('-sign-in')) this.binding = kept;
      else if (name.endsWith('-known')) this.known = kept;
      else this.cookie = kept;
    }
    return answer;
  }

  get(path: string, headers?: Record<string, string>): Promise<Answer> {
    return this.send('GET', path, undefined, headers);
  }

  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> {
    return this.send('POST', path, body, headers);
  }

  patch(path: string, body?: unknown): Promise<Answer> {
    return this.send('PATCH', path, body);
  }

  delete(path: string): Promise<Answer> {
    return this.send('DELETE', path);
  }

  /** Opens a stream for all of the person's servers with the session, starting after these cursors. */
  stream(after: readonly string[] = []): Promise<EventStream> {
    const query: Record<string, string> = after.length > 0 ? { after: after.join() } : {};
    const headers = { 'palaver-server': 'none', cookie: this.cookie };
    return EventStream.open(this.world, '', query, headers, '/api/people/events');
  }

  /** Calls the endpoints for API keys, but with the session. */
  get api(): Pick<Client, 'get' | 'post' | 'patch' | 'delete'> {
    const call = (method: string) => (path: string, body?: unknown, headers?: Record<string, string>) =>
      this.send(method, path, body, headers, '/api/v1');
    return {
      get: (path, headers) => call('GET')(path, undefined, headers),
      post: call('POST'),
      patch: call('PATCH'),
      delete: call('DELETE'),
    };
  }
}

/** Gives a user an account without a way to sign in, which takes less time than `Browser.claimed`. */
export async function giveAccount(world: World, user: Json): Promise<Json> {
  const account = { email: null, emailVerified: false, id: user.id };
  await change(world.data, ({ db, newRow }) => db.run(insert('person', { ...newRow(), ...account })));
  return user;
}

/** A person with an account, and their browser. */
export async function accountOf(world: World): Promise<{ user: Json; browser: Browser }> {
  const user = await giveAccount(world, await world.user());
  return { user, browser: await Browser.of(world, user) };
}

/** Makes a person with an account a member. They consent by accepting an invitation. */
export async function invited(inviter: Browser, person: Browser, userId: string): Promise<Json> {
  const invitation = dataOf(await inviter.post('/invitations', { serverId: inviter.place, userId }));
  return dataOf(await person.post(`/invitations/${invitation.id}/accept`, {}));
}

/** A link for a user, by default to claim their account. */
export const linkFor = (
  world: World,
  user: Json | undefined,
  purpose: 'claim' | 'password' | 'recovery' | 'signUp' | 'email' = 'claim',
  email: string | null = null,
): Promise<{ token: string }> =>
  change(world.data, (work) => addLink(work, { purpose, userId: user?.id ?? null, email }));
