import { ui as t } from '../strings/en/common.ts';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const isControl = (element: Element): element is Control => 'value' in element;

const textOf = (control: Control): string | undefined => {
  const { validity } = control;
  const most = Number(control.dataset.most ?? Number.NaN);
  const length = [...control.value].length;
  if (validity.customError) return control.validationMessage;
  if (validity.valueMissing) return t.errors.missing;
  if (length > most) return t.errors.tooLong({ most });
  if (validity.valid) return undefined;
  if (validity.patternMismatch && control.dataset.wrong) return control.dataset.wrong;
  if (control instanceof HTMLInputElement) {
    if (validity.rangeUnderflow) return t.errors.tooSmall({ least: control.min });
    if (validity.rangeOverflow) return t.errors.tooLarge({ most: control.max });
    if (validity.typeMismatch && control.type === 'email') return t.errors.email;
    if (validity.typeMismatch && control.type === 'url') return t.errors.url;
  }
  if (!(control instanceof HTMLSelectElement)) {
    if (validity.tooShort) return t.errors.tooShort({ least: control.minLength });
    if (validity.tooLong) return t.errors.tooLong({ most: control.maxLength });
  }
  return t.errors.form;
};

/**
 * The error messages of invalid controls, by name, from native validation (`required`, `minLength`, `type`
 * and so on) or `setCustomValidity`. If `pattern` does not match, the message is `data-wrong`.
 */
export function problemsIn(form: HTMLFormElement): Record<string, string> {
  const found: Record<string, string> = {};
  for (const element of form.elements) {
    if (!isControl(element) || !element.name || element.disabled) continue;
    const problem = textOf(element);
    if (problem) found[element.name] ??= problem;
  }
  return found;
}
