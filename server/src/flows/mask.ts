/** Masks the values of secrets in stored data. */

const MASK = '•••';
/**
 * Values shorter than this are not masked in base64, because such short base64 fragments also occur in
 * unrelated text.
 */
const MIN_ENCODED = 6;

/**
 * Returns the value in the URL encodings that programs use. They differ in how they encode spaces and some
 * punctuation, and in the case of hex digits.
 */
function inUrls(value: string): string[] {
  const encoded = encodeURIComponent(value);
  const strict = encoded.replace(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const upper = [encoded, strict, new URLSearchParams({ '': value }).toString().slice(1)].flatMap((form) => [
    form,
    form.replaceAll('%20', '+'),
  ]);
  return [...upper, ...upper.map((form) => form.replace(/%../g, (code) => code.toLowerCase()))];
}

/**
 * Returns the forms that a value can have in a response: plain, in JSON, in URLs, and in base64 at each
 * offset.
 */
function formsOf(value: string): string[] {
  const forms = [value, JSON.stringify(value).slice(1, -1), ...inUrls(value)];
  if (value.length < MIN_ENCODED) return forms;
  const bytes = Buffer.from(value);
  for (let offset = 0; offset < 3; offset++) {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // The first and last characters are dropped, because they also depend on adjacent bytes.
    const start = offset === 0 ? 0 : offset + 1;
    const end = (bytes.length + offset) % 3 === 0 ? text.length : text.length - 1;
    const inner = text.slice(start, end);
    forms.push(inner, inner.replaceAll('+', '-').replaceAll('/', '_'), encodeURIComponent(inner));
  }
  return forms.filter((form) => form.length >= MIN_ENCODED);
}

const allForms = (values: readonly string[]): string[] =>
  [...new Set(values.flatMap(formsOf))].filter((form) => form !== '');

/** Masks a partial secret at the end of a truncated text, where `maskOf` would not find it. */
export function withoutBeginning(text: string, values: readonly string[]): string {
  let length = 0;
  for (const form of allForms(values))
    for (let size = form.length - 1; size > length; size--)
      if (text.endsWith(form.slice(0, size))) length = size;
  return length === 0 ? text : `${text.slice(0, -length)}${MASK}`;
}

/** Returns a function that masks these values in JSON: in strings, field names and numbers. */
export function maskOf(values: readonly string[]): (json: unknown) => unknown {
  const forms = allForms(values);
  // The longest forms come first, because one may contain another.
  forms.sort((one, other) => other.length - one.length);
  const inText = (text: string): string =>
    forms.reduce((masked, form) => masked.replaceAll(form, MASK), text);
  const masked = (json: unknown): unknown => {
    if (typeof json === 'string') return inText(json);
    if (typeof json === 'number') return inText(String(json)) === String(json) ? json : MASK;
    if (Array.isArray(json)) return json.map(masked);
    if (typeof json !== 'object' || json === null) return json;
    return Object.fromEntries(Object.entries(json).map(([name, value]) => [inText(name), masked(value)]));
  };
  return forms.length === 0 ? (json) => json : masked;
}
