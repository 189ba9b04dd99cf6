/** What the word of a browser about itself tells: names as their makers write them. */
export interface Device {
  browser: string | undefined;
  system: string | undefined;
  isPhone: boolean;
}

// The order counts: most browsers say that they are others, too.
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

/** The browser and its system; undefined for a text that is no browser's, such as the name of a device that an app gives. */
export function deviceIn(userAgent: string): Device | undefined {
  if (!/^(Mozilla|Opera)\//.test(userAgent)) return undefined;
  return {
    browser: nameIn(userAgent, browsers),
    system: nameIn(userAgent, systems),
    isPhone: /\b(Mobile|Android|iPhone|iPod)\b/.test(userAgent),
  };
}
