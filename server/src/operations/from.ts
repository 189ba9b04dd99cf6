import type { MailLanguage } from '../mail/words.ts';

/** Facts about the client that an act may use. */
export interface From {
  /** The client's network, used for limits (see `networkOf`). */
  address: string;
  /** The `User-Agent` header; null if there is none. */
  device: string | null;
  /**
   * The language for emails: the one that the person chose in the web client, or the one that their browser
   * prefers.
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
  /** Whether an app sent the token as `Authorization: Bearer`. If so, responses never set a cookie. */
  isBearer: boolean;
  /** The server's public origin: from the setting, or the origin of the requesting page if it is not set. */
  origin: string;
  /** The server's public address: `origin`, and the path under which the server is reachable. */
  siteAddress: string;
  /** Whether `origin` comes from the setting. */
  hasFixedOrigin: boolean;
  /** The cookie that binds a sign-in with a provider to its browser; undefined if there is none. */
  binding: string | undefined;
}
