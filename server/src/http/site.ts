import type { FastifyReply, FastifyRequest } from 'fastify';
import { unauthenticated } from '../access/authenticator.ts';

/** The header without which no session counts. CORS never allows it, so no page of another origin can send it. */
export const SERVER_HEADER = 'palaver-server';

/**
 * Browsers take a cookie with this prefix only over TLS, from this host itself, for all of its paths (RFC 6265bis, 4.1.3.2): a
 * page of a neighbouring host cannot plant one.
 */
const SECURE_COOKIE = '__Host-palaver';
const PLAIN_COOKIE = 'palaver';
/** The cookie that binds a sign-in with a provider to its browser, and its life. */
const BINDING = '-sign-in';
const BINDING_SECONDS = 20 * 60;
/** Browsers keep cookies for 400 days at most. The session itself ends sooner. */
const COOKIE_SECONDS = 400 * 24 * 60 * 60;

/** The place at which browsers reach the server: what their requests must say of their origin, and the cookies that they get. */
export class Site {
  readonly #origin: string | undefined;

  /** `address` as the setting; empty if it is any host at which the server is reached. */
  constructor(address: string) {
    this.#origin = address === '' ? undefined : new URL(address).origin;
  }

  /**
   * Throws UNAUTHORIZED if a browser says that a page of another origin makes the request. The header `SERVER_HEADER` alone
   * keeps such pages out; this holds even if a proxy adds headers of CORS.
   */
  requireOwnPage({ headers: { origin, host, 'sec-fetch-site': fetchSite } }: FastifyRequest): void {
    const isOwn =
      origin === undefined || (this.#origin === undefined ? isOfHost(origin, host) : origin === this.#origin);
    if (isOwn && (fetchSite === undefined || fetchSite === 'same-origin')) return;
    throw unauthenticated('UNAUTHORIZED', 'sessions are for pages of this server alone');
  }

  /** True if the origin is that of the setting. */
  get hasFixedOrigin(): boolean {
    return this.#origin !== undefined;
  }

  /**
   * The origin at which people reach the server: that of the setting, or else of the page that asks, if it is of this host. Behind a
   * proxy with TLS the page alone knows of that.
   */
  originOf({ protocol, headers: { origin = '', host = 'localhost' } }: FastifyRequest): string {
    if (this.#origin !== undefined) return this.#origin;
    const asked = isOfHost(origin, host) ? origin : `${protocol}://${host}`;
    return URL.canParse(asked) ? new URL(asked).origin : 'http://localhost';
  }

  /**
   * Throws UNAUTHORIZED unless a browser says that a page of this server shows what is asked for, or that its user has typed the
   * address. Otherwise another page would learn whether an image loads, from which follows what its visitor may see. Browsers
   * say it over TLS and to localhost alone.
   */
  requireEmbedding(request: FastifyRequest): void {
    const { 'sec-fetch-site': fetchSite } = request.headers;
    if (fetchSite !== 'none' && fetchSite !== 'same-origin')
      throw unauthenticated(
        'UNAUTHORIZED',
        'a cookie alone counts in pages of this server: send the header "Palaver-Server"',
      );
    if (fetchSite === 'same-origin') this.requireOwnPage(request);
  }

  /** The token in the cookie; undefined without one. Throws UNAUTHORIZED if there are several. */
  tokenOf(request: FastifyRequest): string | undefined {
    const { cookie = '' } = request.headers;
    const secure = valuesOf(cookie, SECURE_COOKIE);
    const tokens = secure.length > 0 || this.#isSecure(request) ? secure : valuesOf(cookie, PLAIN_COOKIE);
    if (tokens.length < 2) return tokens[0] || undefined;
    throw unauthenticated(
      'UNAUTHORIZED',
      'there are several session cookies: remove the cookies of this site',
    );
  }

  /** True if a cookie of a session came along, whether it counts or not: the page will then need what signed-in people need. */
  hasToken({ headers: { cookie = '' } }: FastifyRequest): boolean {
    return [SECURE_COOKIE, PLAIN_COOKIE].some((name) => valuesOf(cookie, name).some(Boolean));
  }

  /** Puts a token into the cookie of the answer; null ends the cookie. */
  setToken(request: FastifyRequest, reply: FastifyReply, token: string | null): void {
    this.#setCookie(request, reply, '', token, COOKIE_SECONDS);
  }

  /** What binds a sign-in with a provider to this browser; undefined without it, or if there are several. */
  bindingOf(request: FastifyRequest): string | undefined {
    const [name] = this.#naming(request);
    const values = valuesOf(request.headers.cookie ?? '', name + BINDING);
    return values.length === 1 ? values[0] || undefined : undefined;
  }

  /** Puts it into a cookie of the answer; null ends the cookie. Only pages of this server ever send it, also right after a provider. */
  setBinding(request: FastifyRequest, reply: FastifyReply, value: string | null): void {
    this.#setCookie(request, reply, BINDING, value, BINDING_SECONDS);
  }

  #setCookie(
    request: FastifyRequest,
    reply: FastifyReply,
    suffix: string,
    value: string | null,
    seconds: number,
  ): void {
    const [name, secure] = this.#naming(request);
    const life = value === null ? 0 : seconds;
    reply.header(
      'set-cookie',
      `${name}${suffix}=${value ?? ''}; Path=/; Max-Age=${life}; HttpOnly; SameSite=Strict${secure}`,
    );
  }

  /** The name of the session's cookie, and the attribute that goes with it. */
  #naming(request: FastifyRequest): [name: string, secure: string] {
    return this.#isSecure(request) ? [SECURE_COOKIE, '; Secure'] : [PLAIN_COOKIE, ''];
  }

  #isSecure({ protocol, headers: { origin = '' } }: FastifyRequest): boolean {
    return (this.#origin ?? origin).startsWith('https:') || protocol === 'https';
  }
}

/** True for the origin of a page at this host. Other schemes, such as those of browser extensions, are none of its pages. */
const isOfHost = (origin: string, host: string | undefined): boolean =>
  /^https?:\/\//i.test(origin) && URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();

/** The values of all cookies of this name (RFC 6265, 4.2.1). */
export function valuesOf(header: string, name: string): string[] {
  return (
    header
      .split(';')
      // Not trim(): a cookie that a neighbouring host named "\xa0__Host-palaver" is not ours.
      .map((pair) => pair.replace(/^[ \t]+|[ \t]+$/g, ''))
      .filter((pair) => pair.startsWith(`${name}=`))
      .map((pair) => pair.slice(name.length + 1))
  );
}
