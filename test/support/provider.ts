import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** The settings for a provider in Palaver, as an operator writes them. */
export const settingsOf = (id: string, issuer: string, further: object = {}) => ({
  id,
  name: `Provider ${id}`,
  issuer,
  clientId: 'palaver',
  clientSecret: 'a secret of the client, 100% odd: +&/',
  scopes: 'openid profile',
  asksCode: false,
  ...further,
});

/** A real local OpenID provider (oidc-provider, which is certified). Anyone can sign in by typing a name. */
export class RealProvider {
  readonly #server: Server;
  readonly issuer: string;

  private constructor(server: Server, issuer: string) {
    this.#server = server;
    this.issuer = issuer;
  }

  /** `host` is a name of this machine. Browsers treat a different name as a different site. */
  static async open(redirectUris: string[], host = 'localhost'): Promise<RealProvider> {
    let handle: RequestListener = () => {};
    const server = createServer((request, response) => handle(request, response));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const issuer = `http://${host}:${(server.address() as AddressInfo).port}`;
    const { clientId, clientSecret } = settingsOf('real', issuer);
    const provider = new Provider(issuer, {
      clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: redirectUris }],
      cookies: { keys: ['a key of the test'] },
      // Puts the profile claims in the ID token, as most providers do.
      conformIdTokenClaims: false,
      claims: { openid: ['sub'], profile: ['name', 'preferred_username'] },
      findAccount: (_context, id) => ({
        accountId: id,
        claims: () => ({ sub: id, name: `${id} of the provider`, preferred_username: `${id}@example.org` }),
      }),
      async loadExistingGrant({ oidc }) {
        const grant = new oidc.provider.Grant({
          clientId,
          accountId: oidc.session?.accountId as string,
        });
        grant.addOIDCScope('openid profile');
        await grant.save();
        return grant;
      },
    });
    handle = provider.callback() as RequestListener;
    return new RealProvider(server, issuer);
  }

  /** Signs in at the provider as a browser does, and returns the URL that it redirects to. */
  async signIn(url: string, login: string): Promise<URL> {
    const jar = new Map<string, string>();
    const go = async (address: string, body?: URLSearchParams): Promise<string> => {
      const response = await fetch(new URL(address, this.issuer), {
        redirect: 'manual',
        headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; ') },
        ...(body && { method: 'POST', body }),
      });
      const text = await response.text();
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === '') jar.delete(name);
        else jar.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null)
        throw new Error(`the provider returned ${response.status} ${text.slice(0, 500)}`);
      return location;
    };
    const interaction = await go(url);
    if (!interaction.includes('/interaction/')) return new URL(interaction);
    const resume = await go(interaction, new URLSearchParams({ prompt: 'login', login, password: 'x' }));
    return new URL(await go(resume));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
