import { invalid } from '../../errors.ts';
import { isVisible } from '../../lib/names.ts';
import { type Element, type FormField, MAX_TYPED } from '../message/blocks/elements.ts';
import { isDay } from '../message/blocks/initial.ts';

/** Throws INVALID_REQUEST unless the value is text. */
function textOf(value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  throw invalid(value === undefined || value === null ? 'missing' : 'wrong_type', path, 'must be a string');
}

function optionOf(options: readonly { value: string }[], value: unknown, path: string): string {
  const chosen = textOf(value, path);
  if (options.some((option) => option.value === chosen)) return chosen;
  throw invalid('unknown_value', path, 'must be the value of an option');
}

function dayOf(value: unknown, path: string): string {
  const day = textOf(value, path);
  if (isDay(day)) return day;
  throw invalid('wrong_form', path, 'must be a date, such as 2027-01-31');
}

/** Returns the value of a field; undefined if it is empty and optional. */
function fieldValue(field: FormField, value: unknown, path: string): string | boolean | undefined {
  if (field.type === 'checkbox') {
    if (value !== undefined && value !== null && typeof value !== 'boolean')
      throw invalid('wrong_type', path, 'must be a boolean');
    if (field.required && value !== true) throw invalid('missing', path, 'must be checked');
    return value === true;
  }
  const isEmpty = value === undefined || value === null || value === '';
  if (isEmpty && field.required) throw invalid('missing', path, 'is required');
  if (isEmpty) return undefined;
  if (field.type === 'select') return optionOf(field.options, value, path);
  if (field.type === 'date') return dayOf(value, path);
  const typed = textOf(value, path);
  const most = field.maxLength ?? MAX_TYPED;
  if ([...typed].length > most) throw invalid('too_long', path, `must have at most ${most} characters`);
  if (field.required && !isVisible(typed)) throw invalid('blank', path, 'must have a visible character');
  return typed;
}

/** Returns the values of a form, by field. Throws INVALID_REQUEST. */
function formValues(fields: readonly FormField[], value: unknown): Record<string, string | boolean> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid('wrong_type', 'value', 'must be an object with the values of the fields');
  const given = value as Record<string, unknown>;
  const unknown = Object.keys(given).find((name) => !fields.some(({ id }) => id === name));
  if (unknown !== undefined)
    throw invalid('unknown_value', 'value', 'has a value for a field that is not in the form');
  const values = fields.map((field) => {
    const found = Object.hasOwn(given, field.id) ? given[field.id] : undefined;
    return [field.id, fieldValue(field, found, `value.${field.id}`)] as const;
  });
  return Object.fromEntries(
    values.filter((pair): pair is readonly [string, string | boolean] => pair[1] !== undefined),
  );
}

/**
 * Returns the value of an interaction with an element, in its stored form. For a button, this is the value
 * set by its agent, which the request may omit. Throws INVALID_REQUEST unless the element allows the value.
 */
export function checkedValue(element: Element, value: unknown): unknown {
  if (element.type === 'form') return formValues(element.fields, value);
  if (element.type === 'select') return optionOf(element.options, value, 'value');
  if (element.type === 'date') return dayOf(value, 'value');
  const own = element.value ?? null;
  if (value !== undefined && value !== own)
    throw invalid('unknown_value', 'value', 'must be the value of the button');
  return own;
}
