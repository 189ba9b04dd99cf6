import { escapeHtml } from '../../lib/html.ts';

/** Text that is HTML already, and is not escaped again. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template: text is escaped, a list is joined, and what is not there or false leaves nothing. */
export type HtmlValue = Html | string | number | false | undefined | readonly HtmlValue[];

function textOf(value: HtmlValue): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return value.map(textOf).join('');
}

/** A tag for templates: HTML, with values escaped. */
export const html = (parts: TemplateStringsArray, ...values: HtmlValue[]): Html =>
  new Html(parts.map((part, index) => part + textOf(values[index])).join(''));
