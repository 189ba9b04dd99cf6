/** A query: terms and filters. Serialized as text that can be typed, saved and shared. */
export interface Query {
  readonly words: string;
  /** The name of a channel, or the id of a direct message. */
  readonly in?: string | undefined;
  /** The username of the author. */
  readonly from?: string | undefined;
  /**
   * Days such as 2026-11-22, in the user's time zone. The bounds are exclusive: messages on that day are
   * left out.
   */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly is?: 'person' | 'agent' | 'thread' | 'pinned' | undefined;
  readonly has?: 'file' | 'link' | undefined;
  readonly mentions?: 'me' | undefined;
}

export const filters = ['in', 'from', 'after', 'before', 'is', 'has', 'mentions'] as const;
export type Filter = (typeof filters)[number];

const mark = /(^|\s)(in|from|after|before|is|has|mentions):(?:"([^"]*)"|(\S+))/giu;

const values: Partial<Record<Filter, readonly string[]>> = {
  is: ['person', 'agent', 'thread', 'pinned'],
  has: ['file', 'link'],
  mentions: ['me'],
};
const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00`));

/** True if the value is valid for the filter. Otherwise, it is treated as a search term. */
function fits(filter: Filter, value: string): boolean {
  if (value === '') return false;
  const known = values[filter];
  if (known) return known.includes(value);
  return filter === 'before' || filter === 'after' ? isDay(value) : true;
}

/** Parses a query: `from:ada in:general after:2026-11-01 "release plan"`. If a filter occurs twice, the last one wins. */
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

/** Serializes a query for `queryOf`. */
export function textOf(query: Query): string {
  const parts = filters.flatMap((filter) => {
    const value = query[filter];
    if (value === undefined || value === '') return [];
    return [`${filter}:${/\s/.test(value) ? `"${value}"` : value}`];
  });
  return [...parts, query.words].filter((part) => part !== '').join(' ');
}

/**
 * The time bounds of a query, in ms, for its days in the user's time zone. Both are exclusive: `after` is the last
 * millisecond of its day.
 */
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
