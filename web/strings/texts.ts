import { list, number, pluralForm } from './format.ts';

/** Texts as written in the source files: plain strings, in objects and lists. */
export type Data = string | readonly Data[] | { readonly [key: string]: Data };

/** A text with placeholders, as a function: `{ name }` is the argument for "Leave {name}?". */
type Message<Values> = (values: Values) => string;

type Value = string | number;

/** The names and types of the values that a text needs: `['name', Value] | ['count', number]`. */
type Needs<Text extends string> = Text extends `${string}{${infer Rest}`
  ? Rest extends `${infer Name}, plural, ${infer Forms}`
    ? Name extends `${string}}${string}`
      ? Plain<Rest>
      : [Name, number] | InForms<Forms>
    : Rest extends `${infer Name}, select, ${infer Forms}`
      ? Name extends `${string}}${string}`
        ? Plain<Rest>
        : [Name, string] | InForms<Forms>
      : Plain<Rest>
  : never;

/** The rest of a placeholder without forms, after the brace. */
type Plain<Rest extends string> = Rest extends `${infer Inside}}${infer After}`
  ? (Inside extends `${infer Name}, list` ? [Name, readonly string[]] : [Inside, Value]) | Needs<After>
  : never;

/** Starts at the forms, such as `one {# reply} other {# replies}} and the rest`. */
type InForms<Rest extends string> = Rest extends `}${infer After}`
  ? Needs<After>
  : Rest extends `${string}{${infer Form}`
    ? InForm<Form>
    : never;

/** Inside a form. Its own placeholders, which cannot have forms, come first, then the other forms. */
type InForm<Rest extends string> = Rest extends `${infer Before}}${infer After}`
  ? Before extends `${string}{${infer Name}`
    ? [Name, Value] | InForm<After>
    : InForms<After extends ` ${infer Next}` ? Next : After>
  : never;

type ValuesOf<Need extends [string, unknown]> = { [Each in Need as Each[0]]: Each[1] };

/** The same texts as used in pages: a text with placeholders is a function of its values. */
export type Texts<From> = From extends string
  ? [Needs<From>] extends [never]
    ? From extends `${string}{${string}`
      ? never
      : string
    : Message<ValuesOf<Needs<From>>>
  : { readonly [Key in keyof From]: Texts<From[Key]> };

const PLACE = /\{(\w+)(?:, (?:list|(?:plural|select), ((?:[^{}]|\{(?:[^{}]|\{\w+\})*\})*)))?\}/g;
const FORM = /([\w=]+) \{((?:[^{}]|\{\w+\})*)\}/g;

const show = (value: unknown): string =>
  typeof value === 'number' ? number(value) : Array.isArray(value) ? list(value) : String(value);

/** The form that matches the value. For a number, `=2` takes precedence over `few`. */
function formOf(forms: string, value: unknown): string {
  const all = new Map([...forms.matchAll(FORM)].map(([, name, text]) => [name, text as string]));
  const found =
    typeof value === 'number'
      ? (all.get(`=${value}`) ?? all.get(pluralForm(value)))
      : all.get(value as string);
  return (found ?? all.get('other') ?? '').replaceAll('#', () => show(value));
}

function fill(text: string, values: Record<string, unknown>): string {
  return text.replace(PLACE, (_, name: string, forms?: string) =>
    forms === undefined ? show(values[name]) : fill(formOf(forms, values[name]), values),
  );
}

function prepare(all: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(all)) {
    if (typeof value !== 'string') prepare(value as Record<string, unknown>);
    else if (value.includes('{')) all[key] = (values: Record<string, unknown>) => fill(value, values);
  }
}

/**
 * Compiles plain strings in a subset of ICU MessageFormat: `{name}`, `{names, list}`, `{count, plural, one
 * {# reply} other {# replies}}` and `{kind, select, …}`. See `docs/guides/translating.md`.
 */
export function texts<const From extends Data>(from: From): Texts<From> {
  prepare(from as Record<string, unknown>);
  return from as never;
}
