import type { MailLanguage } from '../mail/words.ts';

/** Facts about the client that an act may use. */
export interface From {
  /** The client's network, used for limits: see `networkOf`. */
  address: string;
  /** The `User-Agent` header; null if there is none. */
  device: string | null;
  /**
   * The language the person chose in the web client, or else the one their browser prefers, among the
   * languages of mails.
   */
  language: MailLanguage;
  /** The session's token; undefined if there is none. */
  token: string | undefined;
  /**
   * The session's token in the browser's cookie, valid or not; undefined if there is none. The next sign-in
   * in this browser revokes that session.
   */
  former: string | undefined;
  /** The cookie that shows for which accounts this browser is known; undefined if there is none. */
  known: string | undefined;
  /** Whether the token was sent as `Authorization: Bearer`, by an app. If so, no response sets a cookie. */
  isBearer: boolean;
  /** The server's public origin: from the setting, or else the origin of the requesting page. */
  origin: string;
  /** The server's public address: `origin`, and the path under which the server is served. */
  siteAddress: string;
  /** Whether `origin` comes from the setting. */
  hasFixedOrigin: boolean;
  /** The cookie that binds a sign-in with a provider to its browser; undefined if there is none. */
  binding: string | undefined;
}
