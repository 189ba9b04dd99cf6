import { escapeHtml } from '../../lib/html.ts';

/** HTML that must not be escaped again. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template. Text is escaped, lists are joined, and undefined and false are omitted. */
export type HtmlValue = Html | string | number | false | undefined | readonly HtmlValue[];

function textOf(value: HtmlValue): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return value.map(textOf).join('');
}

/** A template tag for HTML that escapes its values. */
export const html = (parts: TemplateStringsArray, ...values: HtmlValue[]): Html =>
  new Html(parts.map((part, index) => part + textOf(values[index])).join(''));
