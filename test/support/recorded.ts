/** A request that other software sends to an incoming webhook, and the content that Palaver derives from it. */
export interface Recorded {
  from: string;
  headers?: Record<string, string>;
  /** The suffix of the URL, such as `/github`. */
  suffix?: string;
  /** JSON, unless it is a string. */
  body: object | string;
  content: string;
}

/** The character that Palaver inserts after an at sign, so the name mentions nobody. */
export const QUIET = '\u200B';
