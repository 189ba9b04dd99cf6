/**
 * Replaces custom emoji in the text, such as `:party_parrot:`. `draw` is called with each name, and returns
 * the replacement, or undefined for an unknown name. Times such as `10:30:00` contain no emoji.
 */
export function withEmoji<Drawn>(
  text: string,
  draw: (name: string) => Drawn | undefined,
): (string | Drawn)[] {
  const parts = text.split(':');
  const drawn: (string | Drawn)[] = [];
  let plain = parts[0] as string;
  for (let at = 1; at < parts.length; at++) {
    const part = parts[at] as string;
    const isClosed = part !== '' && at < parts.length - 1 && !/\d$/.test(plain);
    const emoji = isClosed ? draw(part) : undefined;
    if (emoji === undefined) plain += `:${part}`;
    else {
      drawn.push(plain, emoji);
      at += 1;
      plain = parts[at] as string;
    }
  }
  return [...drawn, plain].filter((one) => one !== '');
}

/** The text with a standard emoji in place of each custom one, to check whether it contains anything else. */
export const plainEmoji = (text: string, draw: (name: string) => unknown): string =>
  text.includes(':')
    ? withEmoji(text, draw)
        .map((one) => (typeof one === 'string' ? one : '😀'))
        .join('')
    : text;
