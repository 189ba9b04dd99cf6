import { REFERENCE, recordOf, type Schema } from './description.ts';
import { Html, html } from './html.ts';
import { renderCode, renderWords } from './markdown.ts';

/** Returns the URL of a record's fields. */
export const recordAddress = (name: string): string => `${REFERENCE}/records#${name}`;

/** Maximum depth of nested fields; records have their own section. */
const DEPTH = 4;

const isNull = (schema: Schema): boolean => schema.type === 'null' || schema.const === null;

/** Returns the alternative schemas of a value. */
const choicesOf = (schema: Schema): Schema[] => schema.anyOf ?? schema.oneOf ?? [];

/** Describes the type of a value: `string`, `list of Message`, `integer or null`. */
export function typeOf(schema: Schema): Html {
  const record = recordOf(schema);
  if (record) return html`<a href="${recordAddress(record)}">${record}</a>`;
  if (schema.items) return html`list of ${typeOf(schema.items)}${orNull(schema)}`;
  const choices = choicesOf(schema);
  if (choices.length > 0) return joined(choices.map(typeOf), ' or ');
  if (schema.allOf) return joined(schema.allOf.map(typeOf), ' and ');
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null');
  const named =
    schema.format && schema.format !== 'int64'
      ? `${types.join(' or ')} (${schema.format})`
      : types.join(' or ');
  return html`${named || 'any value'}${orNull(schema)}`;
}

const orNull = ({ type }: Schema): string => (Array.isArray(type) && type.includes('null') ? ' or null' : '');

const joined = (parts: Html[], between: string): Html =>
  new Html(parts.map(({ text }) => text).join(between));

/** Describes the bounds of a value. */
function boundsOf(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const between = (low: number | undefined, high: number | undefined, unit: string) =>
    high === undefined
      ? low !== undefined && low > 0 && `at least ${low}${unit}`
      : low !== undefined && (low > 0 || unit === '')
        ? `${low} to ${high}${unit}`
        : `up to ${high}${unit}`;
  const isTime = maximum === 8_640_000_000_000_000;
  return [
    isTime ? 'milliseconds since 1970' : between(minimum, maximum, ''),
    between(minLength, maxLength, ' characters'),
    between(minItems, maxItems, ' items'),
    schema.default !== undefined && `${JSON.stringify(schema.default)} by default`,
  ].filter((words) => words !== false);
}

/** Returns the allowed values. */
function valuesOf(schema: Schema): unknown[] {
  const inner = schema.items ?? choicesOf(schema).find((choice) => !isNull(choice) && choice.enum);
  return schema.enum ?? (schema.const !== undefined ? [schema.const] : (inner?.enum ?? []));
}

/** Renders one row in a list of fields or parameters. */
export function field(
  name: string,
  schema: Schema,
  required: boolean,
  words = schema.description ?? '',
): Html {
  const values = valuesOf(schema);
  const bounds = boundsOf(schema);
  return html`<div class="field">
<dt><code class="whole">${name}</code> <span class="type">${typeOf(schema)}</span>${required && html` <span class="required">required</span>`}${schema.deprecated && html` <span class="deprecated">deprecated</span>`}</dt>
<dd>${words && new Html(renderWords(words))}${values.length > 0 && html`<p class="values">${values.map((value) => html`${new Html(renderCode(String(value)))} `)}</p>`}${bounds.length > 0 && html`<p class="bounds">${bounds.join(' · ')}</p>`}</dd>
</div>`;
}

/** Renders the fields of an object, including nested objects; empty if there are none. */
export function fields(schema: Schema, depth = 0): Html {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0 || depth > DEPTH) return html``;
  return html`<dl class="fields">${properties.map(([name, value]) => {
    const inner = innerOf(value);
    const below = inner && fields(inner, depth + 1);
    return html`${field(name, value, schema.required?.includes(name) ?? false)}${below?.text && html`<div class="inner">${below}</div>`}`;
  })}</dl>`;
}

/** Finds the object inside a field by unwrapping lists and alternatives. */
function innerOf(schema: Schema): Schema | undefined {
  if (schema.$ref) return undefined;
  if (schema.properties) return schema;
  if (schema.items) return innerOf(schema.items);
  return choicesOf(schema).find((choice) => choice.properties);
}
