/** A request that a program sends to an incoming webhook, and the content that Palaver makes of it. */
export interface Recorded {
  from: string;
  headers?: Record<string, string>;
  /** What the address ends with, such as `/github`. */
  suffix?: string;
  /** JSON, unless it is text. */
  body: object | string;
  content: string;
}

/** Behind an at sign: the name mentions nobody. */
export const QUIET = '\u200B';
