/**
 * Templates in flows, such as `{{event.data.content}}`, with filters such as `{{input.name | default:
 * "nobody" | upper}}`. There is no expression language. Inserted values are not expanded again.
 */

/** The values available to templates and conditions, by the first segment of their paths. */
export type Values = Readonly<Record<string, unknown>>;

/** The allowed first segments of paths. */
const roots = ['event', 'input', 'steps', 'secret', 'item', 'index', 'flow', 'run', 'now'] as const;

interface Insertion {
  path: readonly string[];
  filters: readonly { name: FilterName; argument: string | undefined }[];
}

export type Template = readonly (string | Insertion)[];

const MAX_PATH = 20;
const MAX_FILTERS = 5;
const segment = /^[A-Za-z0-9_-]{1,100}$/;

const filters = {
  default: (value, argument) => (value === undefined || value === null || value === '' ? argument : value),
  upper: (value) => textOf(value).toUpperCase(),
  lower: (value) => textOf(value).toLowerCase(),
  json: (value) => JSON.stringify(value ?? null),
  truncate: (value, argument) => {
    const characters = [...textOf(value)];
    const most = Number(argument);
    return characters.length > most
      ? `${characters.slice(0, Math.max(0, most - 1)).join('')}…`
      : textOf(value);
  },
  date: (value, argument) => dateIn(value, argument || 'UTC'),
} satisfies Record<string, (value: unknown, argument: string | undefined) => unknown>;

type FilterName = keyof typeof filters;

/** Validates the argument of a filter. Returns the problem. */
function argumentProblem(name: string, argument: string | undefined): string | undefined {
  if (!Object.hasOwn(filters, name))
    return `has the filter "${name}". The filters are ${Object.keys(filters).join(', ')}`;
  if (name === 'default' && argument === undefined) return 'needs a text after default:';
  if (name === 'truncate' && !/^[1-9][0-9]{0,4}$/.test(argument ?? ''))
    return 'needs a number of characters after truncate:';
  if (name === 'date' && argument !== undefined && !isTimeZone(argument))
    return 'needs an IANA time zone after date:, such as "Europe/Berlin"';
  return undefined;
}

/** Whether the text is an IANA time zone. */
export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return /^[A-Za-z]/.test(zone);
  } catch {
    return false;
  }
}

/** Thrown for a template that cannot be parsed, with the problem. */
export class TemplateProblem extends Error {}

/** Parses a template. Throws TemplateProblem. */
export function parseTemplate(text: string): Template {
  const parts: (string | Insertion)[] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf('{{', from);
    if (start < 0) break;
    const end = text.indexOf('}}', start);
    if (end < 0) throw new TemplateProblem('has {{ without }}');
    if (start > from) parts.push(text.slice(from, start));
    parts.push(insertionOf(text.slice(start + 2, end)));
    from = end + 2;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

function insertionOf(text: string): Insertion {
  const [first = '', ...rest] = text.split('|');
  if (rest.length > MAX_FILTERS) throw new TemplateProblem(`has more than ${MAX_FILTERS} filters`);
  return {
    path: parsePath(first.trim()),
    filters: rest.map((given) => {
      const [, name = '', written] = /^\s*([A-Za-z]*)\s*(?::\s*(.*?))?\s*$/s.exec(given) ?? [];
      const argument = written === undefined ? undefined : unquoted(written);
      const found = argumentProblem(name, argument);
      if (found) throw new TemplateProblem(found);
      return { name: name as FilterName, argument };
    }),
  };
}

const unquoted = (text: string): string => /^(["'])(.*)\1$/s.exec(text)?.[2] ?? text;

/** Parses a path such as `event.data.content`. Throws TemplateProblem. */
export function parsePath(text: string): readonly string[] {
  const path = text.split('.');
  const isWhole = path.length <= MAX_PATH && path.every((part) => segment.test(part));
  if (!isWhole || !(roots as readonly string[]).includes(path[0] as string))
    throw new TemplateProblem(
      `has the path "${text.slice(0, 100)}". A path begins with one of ${roots.join(', ')}`,
    );
  return path;
}

/** Returns the value at a path; undefined if there is none. Inherited properties are ignored. */
export function valueAt(values: Values, path: readonly string[]): unknown {
  let value: unknown = values;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

/** Converts a value to the text that a template inserts. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function insert(values: Values, { path, filters: applied }: Insertion): unknown {
  let value = valueAt(values, path);
  for (const { name, argument } of applied) value = filters[name](value, argument);
  return value;
}

/** Renders a template as text. */
export const render = (text: string, values: Values): string =>
  parseTemplate(text)
    .map((part) => (typeof part === 'string' ? part : textOf(insert(values, part))))
    .join('');

/**
 * Renders a template. If it consists of a single insertion, the value keeps its type, such as a list.
 * Otherwise, the result is text.
 */
export function valueFrom(text: string, values: Values): unknown {
  const parsed = parseTemplate(text);
  const [only] = parsed;
  if (parsed.length === 1 && typeof only === 'object') return insert(values, only) ?? null;
  return render(text, values);
}

/** Renders JSON whose strings, but not keys, are templates. */
export function renderJson(json: unknown, values: Values): unknown {
  if (typeof json === 'string') return valueFrom(json, values);
  if (Array.isArray(json)) return json.map((item) => renderJson(item, values));
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, renderJson(value, values)]));
}

/**
 * Returns the paths that the templates in JSON contain, as lists of segments, such as `secret` and `CRM`.
 * Throws TemplateProblem.
 */
export function pathsIn(json: unknown): (readonly string[])[] {
  if (typeof json === 'string')
    return parseTemplate(json).flatMap((part) => (typeof part === 'string' ? [] : [part.path]));
  if (typeof json !== 'object' || json === null) return [];
  return Object.values(json).flatMap(pathsIn);
}

/**
 * Formats a timestamp as a date and time in a time zone. Accepts milliseconds since the Unix epoch, or text
 * that `Date` parses.
 */
function dateIn(value: unknown, timeZone: string): string {
  const at = typeof value === 'number' ? new Date(value) : new Date(textOf(value));
  if (Number.isNaN(at.getTime())) return '';
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}`;
}
