/** What is searched for: words, and what narrows them down. All of it is one text, so that it can be typed, kept and sent. */
export interface Query {
  readonly words: string;
  /** The name of a channel. */
  readonly in?: string | undefined;
  /** The username of the author. */
  readonly from?: string | undefined;
  /** Days, such as 2026-11-22, of the reader's calendar: messages of that day are left out. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly is?: 'person' | 'agent' | 'thread' | undefined;
}

export const filters = ['in', 'from', 'after', 'before', 'is'] as const;
export type Filter = (typeof filters)[number];

const mark = /(^|\s)(in|from|after|before|is):(?:"([^"]*)"|(\S+))/giu;

const kinds = ['person', 'agent', 'thread'];
const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00`));

/** True if a filter can have this value; others are words like any. */
function fits(filter: Filter, value: string): boolean {
  if (value === '') return false;
  if (filter === 'is') return kinds.includes(value);
  return filter === 'before' || filter === 'after' ? isDay(value) : true;
}

/** Reads what was typed: `from:ada in:general after:2026-11-01 "release plan"`. Of a filter that stands twice the last counts. */
export function queryOf(text: string): Query {
  const found: Partial<Record<Filter, string>> = {};
  const words = text.replace(
    mark,
    (whole: string, space: string, name: string, quoted?: string, bare?: string) => {
      const filter = name.toLowerCase() as Filter;
      const value = (quoted ?? bare ?? '').replace(
        filter === 'in' ? /^#/ : filter === 'from' ? /^@/ : /^$/,
        '',
      );
      if (!fits(filter, value)) return whole;
      found[filter] = value;
      return space;
    },
  );
  return { ...found, words: words.replace(/\s+/g, ' ').trim() } as Query;
}

/** The text of a query, which `queryOf` reads. */
export function textOf(query: Query): string {
  const parts = filters.flatMap((filter) => {
    const value = query[filter];
    if (value === undefined || value === '') return [];
    return [`${filter}:${/\s/.test(value) ? `"${value}"` : value}`];
  });
  return [...parts, query.words].filter((part) => part !== '').join(' ');
}

/** The bounds of a query in time, in ms: both are exclusive, and whole days of the reader's calendar. */
export function boundsOf({ before, after }: Query): { before?: number; after?: number } {
  const start = (text: string, days: number) => {
    const [year = 0, month = 1, day = 1] = text.split('-').map(Number);
    return new Date(year, month - 1, day + days).getTime();
  };
  return {
    ...(before !== undefined && { before: start(before, 0) }),
    ...(after !== undefined && { after: start(after, 1) - 1 }),
  };
}
