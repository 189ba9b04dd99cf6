/** The parts of a user agent string. Names are spelled as the vendors spell them. */
export interface Device {
  browser: string | undefined;
  system: string | undefined;
  isPhone: boolean;
}

// The order matters, because most browsers also claim to be others.
const browsers: readonly [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: readonly [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPad\b/, 'iPadOS'],
  [/\b(iPhone|iPod)\b/, 'iOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\b(Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const nameIn = (text: string, names: readonly [RegExp, string][]): string | undefined =>
  names.find(([pattern]) => pattern.test(text))?.[1];

/** Parses a user agent. Undefined for other strings, such as a device name set by an app. */
export function deviceIn(userAgent: string): Device | undefined {
  if (!/^(Mozilla|Opera)\//.test(userAgent)) return undefined;
  return {
    browser: nameIn(userAgent, browsers),
    system: nameIn(userAgent, systems),
    isPhone: /\b(Mobile|Android|iPhone|iPod)\b/.test(userAgent),
  };
}
