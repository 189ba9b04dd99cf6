import assert from 'node:assert/strict';
import { Site } from './nodes.ts';
import { call, until } from './process.ts';
import { Stalls } from './stalls.ts';

/** Several nodes on one database, and people's requests to them. The first admin has an account. */
export class PeopleAtNodes {
  readonly stalls = new Stalls();
  readonly #amount: number;
  readonly #password: string;
  readonly #noticedMs: number;
  #site: Site | undefined;

  /**
   * `noticedMs` is the longest time that a node may accept a session after it has ended, not counting stalls of the
   * machine.
   */
  constructor(amount: number, { password, noticedMs }: { password: string; noticedMs: number }) {
    this.#amount = amount;
    this.#password = password;
    this.#noticedMs = noticedMs;
  }

  /** Starts the nodes, and claims the account of the first admin with the link printed on the first start. */
  async open(): Promise<Site> {
    this.#site = await Site.open(this.#amount);
    const token = /link_plv_\w+/.exec(this.#site.at(0).output())?.[0];
    await this.post(0, '/links/claim', { token, password: this.#password });
    return this.#site;
  }

  async close(): Promise<void> {
    this.stalls.stop();
    await this.#site?.close();
  }

  readonly ask = (node: number, method: string, path: string, cookie = '', body?: unknown) =>
    call((this.#site as Site).at(node), method, `/api/people${path}`, {
      headers: { 'palaver-server': 'none', cookie },
      body,
    });

  /** Posts a request and returns the cookie that the response sets. */
  readonly post = async (node: number, path: string, body: unknown, cookie = ''): Promise<string> => {
    const answer = await this.ask(node, 'POST', path, cookie, body);
    assert.equal(answer.status, 200, answer.text);
    return (answer.headers.get('set-cookie') ?? '').split(';')[0] as string;
  };

  /** Signs the admin in and returns the cookie. */
  readonly signIn = (node: number) =>
    this.post(node, '/sign-in', { name: 'admin', password: this.#password });

  readonly statusWith =
    (cookie: string) =>
    async (node: number): Promise<number> =>
      (await this.ask(node, 'GET', '/me', cookie)).status;

  /** Waits until all nodes reject a session. Throws if a node accepts it for too long. */
  readonly assertRefusedSoon = async (
    statusAt: (node: number) => Promise<number>,
    endedAt: number,
  ): Promise<void> => {
    const refused = (node: number) => async () => {
      const sent = performance.now();
      if ((await statusAt(node)) === 401) return true;
      const late = sent - endedAt - this.stalls.since(endedAt);
      assert.ok(late < this.#noticedMs, `node ${node} accepts it after ${Math.round(late)} ms`);
      return false;
    };
    const { nodes } = this.#site as Site;
    await Promise.all(nodes.map((_, node) => until(refused(node), 20_000, 2)));
  };

  readonly assertAccepted = async (cookie: string): Promise<void> => {
    for (let node = 0; node < this.#amount; node++)
      assert.equal((await this.ask(node, 'GET', '/me', cookie)).status, 200, `node ${node}`);
  };
}
