import type { FastifyReply, FastifyRequest } from 'fastify';
import { unauthenticated } from '../access/authenticator.ts';
import { baseOf } from './base.ts';

/**
 * The header required with a session, except to load files that pages embed. CORS never allows it, so pages of
 * other origins cannot send it (CSRF).
 */
export const SERVER_HEADER = 'palaver-server';

/**
 * Browsers accept a cookie with this prefix only over TLS, from this exact host, and for all paths
 * (RFC 6265bis, 4.1.3.2), so a page on a sibling host cannot set it.
 */
const SECURE_COOKIE = '__Host-palaver';
const PLAIN_COOKIE = 'palaver';
/**
 * The secure cookie of a server under a path. It cannot use the prefix `__Host-`, which requires the path
 * `/`, because other programs share the host.
 */
const SECURE_COOKIE_UNDER = '__Secure-palaver';
/** Name suffix of the cookie that binds a sign-in with a provider to its browser. */
const BINDING = '-sign-in';
/** Name suffix of the cookie of a known browser (`knownBrowsers.ts`). */
const KNOWN = '-known';
/** Lifetime of the cookie that binds a sign-in. */
const BINDING_SECONDS = 20 * 60;
/** The longest lifetime that browsers allow, 400 days. The session itself expires earlier. */
const COOKIE_SECONDS = 400 * 24 * 60 * 60;

/**
 * The server's public address as browsers see it: an origin and a base path. Checks the origin of requests,
 * and manages their cookies.
 */
export class Site {
  /** The path under which the server is reachable, such as `/chat`; empty for the root. */
  readonly base: string;
  readonly #origin: string | undefined;
  readonly #secureCookie: string;
  readonly #plainCookie: string;

  /** `address` is the setting. If it is empty, the origin is derived from each request. */
  constructor(address: string) {
    this.#origin = address === '' ? undefined : new URL(address).origin;
    this.base = baseOf(address);
    // Servers under different paths of a host have differently named cookies, because browsers send cookies
    // for `/` to all of them.
    const end = this.base.replaceAll('/', '.');
    this.#secureCookie = (this.base === '' ? SECURE_COOKIE : SECURE_COOKIE_UNDER) + end;
    this.#plainCookie = PLAIN_COOKIE + end;
  }

  /**
   * Throws UNAUTHORIZED if the browser reports a cross-origin page. `SERVER_HEADER` alone already blocks such
   * pages, but this check also works if a proxy adds CORS headers.
   */
  requireOwnPage({ headers: { origin, host, 'sec-fetch-site': fetchSite } }: FastifyRequest): void {
    const isOwn = origin === undefined || this.#isOwn(origin, host);
    if (isOwn && (fetchSite === undefined || fetchSite === 'same-origin')) return;
    throw unauthenticated('UNAUTHORIZED', "session cookies are accepted only from this server's own pages");
  }

  #isOwn(origin: string, host: string | undefined): boolean {
    return this.#origin === undefined ? isOfHost(origin, host) : origin === this.#origin;
  }

  /** Whether the origin is configured. */
  get hasFixedOrigin(): boolean {
    return this.#origin !== undefined;
  }

  /**
   * Returns the public origin. If none is configured, this is the origin of the requesting page if it is on
   * this host: behind a TLS proxy, only the page's origin shows that TLS is used.
   */
  originOf({ protocol, headers: { origin = '', host = 'localhost' } }: FastifyRequest): string {
    if (this.#origin !== undefined) return this.#origin;
    const asked = isOfHost(origin, host) ? origin : `${protocol}://${host}`;
    return URL.canParse(asked) ? new URL(asked).origin : 'http://localhost';
  }

  /**
   * Returns the public address, which is the origin followed by the base, without a trailing slash. Links in
   * emails and responses start with it.
   */
  addressOf(request: FastifyRequest): string {
    return this.originOf(request) + this.base;
  }

  /** The `Path` of cookies. */
  get cookiePath(): string {
    return this.base || '/';
  }

  /**
   * Throws UNAUTHORIZED unless the browser reports that a page of this server embeds or links the resource, or
   * that the user typed its URL. Without this check, another site could detect whether an image loads, and
   * thus find out what its visitor may see. Browsers send `Sec-Fetch-Site` only over TLS and for localhost,
   * and old browsers never do. Without this header, the `Referer` is checked. Another site can omit the
   * `Referer`, but cannot set it to one of this server's pages, which all send it to their own origin.
   */
  requireEmbedding(request: FastifyRequest): void {
    const { 'sec-fetch-site': fetchSite, referer = '', host } = request.headers;
    const isOwn =
      fetchSite === undefined
        ? URL.canParse(referer) && this.#isOwn(new URL(referer).origin, host)
        : fetchSite === 'none' || fetchSite === 'same-origin';
    if (!isOwn) throw unauthenticated('UNAUTHORIZED', 'session cookies require the header "Palaver-Server"');
    if (fetchSite !== 'none') this.requireOwnPage(request);
  }

  /**
   * Returns the token in the cookie; undefined if there is none. Throws UNAUTHORIZED if there are several.
   */
  tokenOf(request: FastifyRequest): string | undefined {
    const { cookie = '' } = request.headers;
    const secure = valuesOf(cookie, this.#secureCookie);
    const tokens =
      secure.length > 0 || this.#isSecure(request) ? secure : valuesOf(cookie, this.#plainCookie);
    if (tokens.length < 2) return tokens[0] || undefined;
    throw unauthenticated(
      'UNAUTHORIZED',
      "there are several session cookies. Delete this site's cookies and sign in again",
    );
  }

  /**
   * Returns the token in the cookie of a previous sign-in in this browser; undefined if there is none, or
   * several.
   */
  formerTokenOf(request: FastifyRequest): string | undefined {
    const [name] = this.#naming(request);
    const tokens = valuesOf(request.headers.cookie ?? '', name);
    return tokens.length === 1 ? tokens[0] || undefined : undefined;
  }

  /** Whether there is a session cookie, valid or not. If so, the page needs the signed-in client. */
  hasToken({ headers: { cookie = '' } }: FastifyRequest): boolean {
    return [this.#secureCookie, this.#plainCookie].some((name) => valuesOf(cookie, name).some(Boolean));
  }

  /** Sets the session cookie; null clears it. */
  setToken(request: FastifyRequest, reply: FastifyReply, token: string | null): void {
    this.#setCookie(request, reply, '', token, COOKIE_SECONDS);
  }

  /** Returns the cookie of a known browser; undefined if there is none or more than one. */
  knownOf(request: FastifyRequest): string | undefined {
    const [name] = this.#naming(request);
    const values = valuesOf(request.headers.cookie ?? '', name + KNOWN);
    return values.length === 1 ? values[0] || undefined : undefined;
  }

  setKnown(request: FastifyRequest, reply: FastifyReply, value: string): void {
    this.#setCookie(request, reply, KNOWN, value, COOKIE_SECONDS);
  }

  /**
   * Returns the value that binds a sign-in with a provider to this browser; undefined if there is none, or
   * several.
   */
  bindingOf(request: FastifyRequest): string | undefined {
    const [name] = this.#naming(request);
    const values = valuesOf(request.headers.cookie ?? '', name + BINDING);
    return values.length === 1 ? values[0] || undefined : undefined;
  }

  /**
   * Sets the cookie that binds a sign-in to this browser; null clears it. Browsers send it only with requests
   * from this server's pages, including the page to which a provider redirects.
   */
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
      `${name}${suffix}=${value ?? ''}; Path=${this.cookiePath}; Max-Age=${life}; HttpOnly; SameSite=Strict${secure}`,
    );
  }

  /** Returns the session cookie's name, and its `Secure` attribute. */
  #naming(request: FastifyRequest): [name: string, secure: string] {
    return this.#isSecure(request) ? [this.#secureCookie, '; Secure'] : [this.#plainCookie, ''];
  }

  #isSecure({ protocol, headers: { origin = '' } }: FastifyRequest): boolean {
    return (this.#origin ?? origin).startsWith('https:') || protocol === 'https';
  }
}

/**
 * Whether the origin belongs to a page on this host. False for all schemes except HTTP and HTTPS, such as
 * those of browser extensions.
 */
const isOfHost = (origin: string, host: string | undefined): boolean =>
  /^https?:\/\//i.test(origin) && URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();

/** Returns the values of all cookies with this name (RFC 6265, 4.2.1). */
export function valuesOf(header: string, name: string): string[] {
  return (
    header
      .split(';')
      // `trim()` would also match a cookie that a sibling host has named "\xa0__Host-palaver".
      .map((pair) => pair.replace(/^[ \t]+|[ \t]+$/g, ''))
      .filter((pair) => pair.startsWith(`${name}=`))
      .map((pair) => pair.slice(name.length + 1))
  );
}
