import { invalid } from '../../../errors.ts';
import type { Element, FormField } from './elements.ts';

/** Whether a text is a valid calendar date. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** Throws INVALID_REQUEST for a select with duplicate values, or an initial value that cannot be selected. */
function requireInitial(one: Element | FormField, path: string): void {
  if (one.type === 'select') {
    const values = one.options.map(({ value }) => value);
    const twice = values.findIndex((value, index) => values.indexOf(value) < index);
    if (twice >= 0)
      throw invalid('duplicate', `${path}.options.${twice}.value`, 'is already the value of another option');
    if (one.initial !== undefined && !values.includes(one.initial))
      throw invalid('unknown_value', `${path}.initial`, 'must be the value of an option');
  }
  if (one.type === 'date' && one.initial !== undefined && !isDay(one.initial))
    throw invalid('wrong_form', `${path}.initial`, 'must be a date, such as 2027-01-31');
  if (one.type !== 'text' && one.type !== 'multiline') return;
  if (one.initial !== undefined && one.maxLength !== undefined && [...one.initial].length > one.maxLength)
    throw invalid('too_long', `${path}.initial`, `must have at most ${one.maxLength} characters`);
}

/**
 * Checks the options and initial values of elements and of the fields of their forms. Throws INVALID_REQUEST.
 */
export function requireInitialValues(elements: readonly Element[], path: string): void {
  for (const [index, element] of elements.entries()) {
    const at = path.endsWith('.button') ? path : `${path}.${index}`;
    if (element.type !== 'form') {
      requireInitial(element, at);
      continue;
    }
    const seen = new Set<string>();
    for (const [place, field] of element.fields.entries()) {
      if (seen.has(field.id))
        throw invalid('duplicate', `${at}.fields.${place}.id`, 'is already the id of another field');
      seen.add(field.id);
      requireInitial(field, `${at}.fields.${place}`);
    }
  }
}
