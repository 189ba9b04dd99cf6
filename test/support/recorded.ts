/** A request that some software sends to an incoming webhook, and the content that Palaver derives from it. */
export interface Recorded {
  from: string;
  headers?: Record<string, string>;
  /** The suffix of the URL, such as `/github`. */
  suffix?: string;
  /** JSON, unless it is text. */
  body: object | string;
  content: string;
}

/** After an at sign, so that the name mentions nobody. */
export const QUIET = '\u200B';
