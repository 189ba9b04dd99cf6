import { hostOf } from './url.ts';

// Parsers for settings. Each accepts text, or a JSON value from the config file, and throws an Error whose
// message continues a sentence that starts with the setting's name.

/** Checks the digits, because `Number` also accepts other forms, such as 0x50 and 1e3. */
const DECIMAL = /^\s*-?\d+\s*$/;

/** Accepts a whole number from `min` to `max`, inclusive. */
export const wholeNumber = (min: number, max: number) => (value: unknown) => {
  const number = typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < min || number > max) {
    throw new Error(`must be a whole number from ${min} to ${max}`);
  }
  return number;
};

/** Accepts text that is not empty. */
export const words = (value: unknown): string => {
  if (typeof value !== 'string' || value === '') throw new Error('must be text');
  return value;
};

/** Accepts one of these words. */
export const oneOf =
  <const V extends readonly string[]>(...values: V) =>
  (value: unknown): V[number] => {
    if (!values.includes(value as string)) throw new Error(`must be one of ${values.join(', ')}`);
    return value as V[number];
  };

/** Accepts `true` or `false`. */
export const yesOrNo = (value: unknown): boolean => {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw new Error('must be true or false');
};

/** Accepts a URL with one of these schemes, or an empty text. */
export const addressOf =
  (...schemes: string[]) =>
  (value: unknown): string => {
    if (value === '') return '';
    const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
    if (!url || !schemes.includes(url.protocol.slice(0, -1)))
      throw new Error(`must be a URL that begins with ${schemes[0]}://`);
    if (url.hostname.includes(',')) throw new Error('must be a URL with one host');
    return value as string;
  };

/** Accepts a URL template for calls, with `{room}`, or an empty text. */
export const callTemplate = (value: unknown): string => {
  if (value === '') return '';
  const hasRoom = typeof value === 'string' && value.includes('{room}');
  const filled = hasRoom ? value.replaceAll(/\{(?:room|name)\}/g, 'a') : '';
  const isWeb = URL.canParse(filled) && ['https:', 'http:'].includes(new URL(filled).protocol);
  if (!isWeb || /[{}]/.test(filled)) {
    throw new Error('must be a URL that begins with https:// and contains {room} and, optionally, {name}');
  }
  return value as string;
};

/**
 * Accepts the address of a website, such as `https://chat.example.com`, or `https://example.com/chat` with a
 * path, or an empty text. Returns it without a trailing slash.
 */
export const siteOf = (value: unknown): string => {
  if (value === '') return '';
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  const path = url?.pathname.replace(/\/$/, '') ?? '';
  // Allows only paths that need no encoding in URLs, cookies or HTML.
  const isPlain = /^(\/[A-Za-z0-9._~-]+)*$/.test(path) && path.length <= 100;
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    !isPlain ||
    url.href.replace(/\/$/, '') !== url.origin + path
  )
    throw new Error('must be an address such as https://chat.example.com or https://example.com/chat');
  return url.origin + path;
};

/** Accepts JSON, as text or as a value from the config file; `from` validates and converts it. */
export const jsonFor =
  <T>(from: (value: unknown) => T, example: string) =>
  (value: unknown): T => {
    if (value === '') return from({});
    if (typeof value !== 'string') return from(value);
    let parsed: unknown;
    try {
      parsed = JSON.parse(value);
    } catch {
      throw new Error(`must be JSON such as ${example}`);
    }
    return from(parsed);
  };

/** Accepts host names without ports, as comma-separated text or as a list. */
export const hostNames = (value: unknown): readonly string[] => listOf(value).map(hostName);

/** Like `hostNames`, but `*.example.com` stands for all subdomains of example.com. */
export const hostPatterns = (value: unknown): readonly string[] =>
  listOf(value).map((name) =>
    typeof name === 'string' && name.startsWith('*.') ? `*.${hostName(name.slice(2))}` : hostName(name),
  );

function listOf(value: unknown): unknown[] {
  const names = typeof value === 'string' ? value.split(',').map((name) => name.trim()) : value;
  if (!Array.isArray(names)) throw new Error('must be names separated by commas');
  return names.filter((name) => name !== '');
}

function hostName(name: unknown): string {
  const isName = typeof name === 'string' && /^(\[[\da-f:.]+\]|[^\s/\\?#@:]+)$/i.test(name);
  const host = isName ? hostOf(`http://${name}`) : undefined;
  if (!host) throw new Error('must be host names such as chat.example.com, without ports');
  return host;
}
