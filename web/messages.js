// Parses the texts in `strings/`: the subset of ICU MessageFormat described in docs/guides/translating.md.
// Pages format texts with `strings/texts.ts`, which does not validate them; the checks and the
// pseudo-language do, with this file.

/** The plural categories of Unicode. */
const CATEGORIES = ['zero', 'one', 'two', 'few', 'many', 'other'];

/**
 * Parses a message into its parts, in order: strings, and `{ name, kind }` for each value, with `forms` by
 * name for a plural or select. A form is itself a list of parts. Throws on syntax errors.
 */
export function partsOf(text) {
  const parts = [];
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('{', at);
    const plain = text.slice(at, open < 0 ? undefined : open);
    if (plain.includes('}')) throw new Error('has a } without its {');
    if (plain !== '') parts.push(plain);
    if (open < 0) break;
    const close = endOf(text, open);
    parts.push(readValue(text.slice(open + 1, close)));
    at = close + 1;
  }
  return parts;
}

/** The index of the closing brace. */
function endOf(text, open) {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === '{') depth++;
    if (text[at] === '}' && --depth === 0) return at;
  }
  throw new Error('has a { without its }');
}

/** Parses the content of a pair of braces. */
function readValue(inside) {
  const [, name, kind = 'value', forms] = /^(\w+)(?:, (list|plural|select)(?:, (.*))?)?$/s.exec(inside) ?? [];
  if (name === undefined || (forms !== undefined) !== (kind === 'plural' || kind === 'select'))
    throw new Error(
      `has {${inside}}, which is neither {name}, {name, list} nor a plural or select with its forms`,
    );
  return forms === undefined ? { name, kind } : { name, kind, forms: formsOf(forms, kind) };
}

function formsOf(text, kind) {
  const forms = {};
  let at = 0;
  while (at < text.length) {
    const [found, form] = /^ ?([\w=]+) (?=\{)/.exec(text.slice(at)) ?? [];
    if (found === undefined) throw new Error(`has forms that cannot be read: ${text.slice(at)}`);
    if (kind === 'plural' && !CATEGORIES.includes(form) && !/^=\d+$/.test(form))
      throw new Error(`has the form "${form}", which no plural has`);
    const open = at + found.length;
    const close = endOf(text, open);
    const parts = partsOf(text.slice(open + 1, close));
    if (parts.some((part) => part.kind !== undefined && part.kind !== 'value'))
      throw new Error('has a form with forms or lists in it: put the whole sentence into each form');
    forms[form] = parts;
    at = close + 1;
  }
  if (!forms.other) throw new Error('has no form "other"');
  return forms;
}

/** Serializes parts into a message. */
export const textOf = (parts) =>
  parts
    .map((part) => {
      if (typeof part === 'string') return part;
      const { name, kind, forms } = part;
      if (kind === 'value') return `{${name}}`;
      if (!forms) return `{${name}, ${kind}}`;
      const all = Object.entries(forms).map(([form, inside]) => `${form} {${textOf(inside)}}`);
      return `{${name}, ${kind}, ${all.join(' ')}}`;
    })
    .join('');

/** Maps the strings among the parts, including those inside forms. */
export const withWords = (parts, change) =>
  parts.map((part) => {
    if (typeof part === 'string') return change(part);
    if (!part.forms) return part;
    const forms = Object.entries(part.forms).map(([form, inside]) => [form, withWords(inside, change)]);
    return { ...part, forms: Object.fromEntries(forms) };
  });

/** The values that a message uses, without duplicates, as `name` or `name, kind`. */
export function valuesOf(parts) {
  const found = new Set();
  for (const part of parts) {
    if (typeof part === 'string') continue;
    found.add(part.kind === 'value' ? part.name : `${part.name}, ${part.kind}`);
    for (const inside of Object.values(part.forms ?? {}))
      for (const value of valuesOf(inside)) found.add(value);
  }
  return found;
}
