/** The commonly used named entities. */
const common: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  rarr: '→',
};

let all: ReadonlyMap<string, string> | undefined;

/**
 * Adds all named entities, packed as in `allEntities.ts`. The client loads them when a message needs them,
 * because they are larger than the parser.
 */
export function learnEntities(packed: string): void {
  const names = new Map<string, string>();
  let code = 0;
  for (const entry of packed.split(';')) {
    const [head = '', rest = ''] = entry.split(' ');
    if (!head.includes('+')) code += head === '' ? 1 : Number(head);
    const codes = head.includes('+') ? head.split('+').map((point) => Number.parseInt(point, 16)) : [code];
    for (const name of rest.split(',')) names.set(name, String.fromCodePoint(...codes));
  }
  all = names;
}

/** Returns the characters of a named entity, such as `amp`. Undefined for unknown names. */
export const entityOf = (name: string): string | undefined =>
  all ? all.get(name) : Object.hasOwn(common, name) ? common[name] : undefined;

/** Whether a text may contain named entities that are not loaded yet. */
export const hasUncommonEntity = (text: string): boolean =>
  all === undefined &&
  text.includes('&') &&
  (text.match(/&[a-zA-Z][a-zA-Z\d]{1,31};/g) ?? []).some((entity) => !entityOf(entity.slice(1, -1)));
