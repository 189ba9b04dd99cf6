import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from './world.ts';

interface Key {
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

let keys = 0;
const newKey = (): Key => ({ kid: `key-${++keys}`, ...generateKeyPairSync('rsa', { modulusLength: 2048 }) });
const text64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * An OpenID provider that the test controls. It accepts each code once, with the verifier that matches its challenge.
 */
export class HostileProvider {
  readonly #server: Server;
  issuer = '';
  /** The key that signs tokens, and the keys that the provider publishes. */
  key = newKey();
  published = [this.key];
  /** Changes to the claims in the next ID tokens, and to their header. */
  claims: Json = {};
  header: Json = {};
  /** Changes to its metadata. */
  metadata: Json = {};
  /** Responses that replace those of an endpoint. */
  instead: Record<string, (response: ServerResponse) => void> = {};
  /** The requests to its token endpoint. */
  readonly asked: URLSearchParams[] = [];
  readonly authorizations: string[] = [];
  readonly #codes = new Map<string, { nonce: string; challenge: string; sub: string }>();

  private constructor() {
    this.#server = createServer(async (request, response) => {
      let body = '';
      for await (const piece of request.setEncoding('utf8')) body += piece;
      const path = request.url ?? '';
      const instead = this.instead[path];
      if (instead) return instead(response);
      const [status, answer] = this.#answer(path, body, request.headers.authorization ?? '');
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  }

  static async open(): Promise<HostileProvider> {
    const provider = new HostileProvider();
    await provider.listen(0);
    return provider;
  }

  async listen(port = Number(new URL(this.issuer).port)): Promise<void> {
    await once(this.#server.listen(port, '127.0.0.1'), 'listening');
    this.issuer = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Signs in a user that Palaver redirected here. Returns the query string of the redirect back to Palaver. */
  query(url: string, sub: string, changes: Record<string, string | undefined> = {}): string {
    const asked = new URL(url).searchParams;
    const code = `code-${this.#codes.size}-${this.issuer}`;
    this.#codes.set(code, {
      nonce: asked.get('nonce') ?? '',
      challenge: asked.get('code_challenge') ?? '',
      sub,
    });
    const query = new URLSearchParams({ code, state: asked.get('state') ?? '', iss: this.issuer });
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) query.delete(name);
      else query.set(name, value);
    }
    return `?${query}`;
  }

  #answer(path: string, body: string, authorization: string): [status: number, answer: Json] {
    if (path === '/.well-known/openid-configuration')
      return [
        200,
        {
          issuer: this.issuer,
          authorization_endpoint: `${this.issuer}/authorize`,
          token_endpoint: `${this.issuer}/token`,
          jwks_uri: `${this.issuer}/keys`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
          authorization_response_iss_parameter_supported: true,
          ...this.metadata,
        },
      ];
    if (path === '/keys')
      return [
        200,
        {
          keys: this.published.map(({ kid, publicKey }) => ({
            ...publicKey.export({ format: 'jwk' }),
            kid,
            use: 'sig',
            alg: 'RS256',
          })),
        },
      ];
    if (path !== '/token') return [404, {}];
    const form = new URLSearchParams(body);
    this.asked.push(form);
    this.authorizations.push(authorization);
    const code = form.get('code') ?? '';
    const known = this.#codes.get(code);
    this.#codes.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!known || challenge !== known.challenge) return [400, { error: 'invalid_grant' }];
    return [200, { access_token: 'an access token', token_type: 'Bearer', id_token: this.#tokenFor(known) }];
  }

  #tokenFor({ sub, nonce }: { sub: string; nonce: string }): string {
    const now = Math.floor(Date.now() / 1000);
    const times = { iat: now, exp: now + 300 };
    const header = { alg: 'RS256', kid: this.key.kid, ...this.header };
    const claims = { iss: this.issuer, aud: 'palaver', sub, nonce, ...times, ...this.claims };
    const signed = `${text64(header)}.${text64(claims)}`;
    const signature =
      header.alg === 'none'
        ? ''
        : sign('sha256', Buffer.from(signed), this.key.privateKey).toString('base64url');
    return `${signed}.${signature}`;
  }

  replaceKey(): void {
    this.key = newKey();
    this.published = [this.key];
  }
}
