import { invalid } from '../errors.ts';
import { boundedCopy } from './boundedCopy.ts';
import { escaped, isUrl, targetOf, unmentioning, ZERO_WIDTH_SPACE } from './commonmark.ts';
import { beginConversion, type Loose, markupOf } from './loose.ts';

/**
 * Templates of incoming webhooks: CommonMark with `{{path}}` for values in the body. A path consists of field
 * names and list indexes, such as `alerts[0].labels.host` or `alerts.0.labels.host`. There are no
 * expressions. Every value is shown as text: it never starts markup, leaves its link or code, or mentions
 * anybody.
 */

/** Maximum characters of a template. */
export const MAX_TEMPLATE = 4_000;
/** Maximum paths in a template. */
const MAX_PATHS = 100;
/** Maximum characters of JSON for an object or an array at a path. */
const MAX_JSON = 1_000;
/** Maximum characters of a rendered text. Longer ones are truncated. */
const MAX_RENDERED = 24_000;

/** The context of a value: in text, in code, at the start of a link target, or later in a link target. */
type Place = 'text' | 'code' | 'target' | 'inTarget';
interface Value {
  path: readonly string[];
  place: Place;
}
export type Template = readonly (string | Value)[];

const NAME = String.raw`[\p{L}\p{M}\p{N}_$@:/-]+`;
const PATH = new RegExp(String.raw`^\s*(?:${NAME}|\[\d{1,6}\])(?:\.${NAME}|\[\d{1,6}\])*\s*$`, 'u');
const STEP = new RegExp(String.raw`${NAME}|\d{1,6}`, 'gu');

/**
 * Matches, in this order: a fence, a blank line, a path, an escaped character, backticks, a link target and
 * its end.
 */
const TOKEN =
  /^ {0,3}(`{3,}(?=[^`\n]*$)|~{3,})|^[ \t]*\n|\{\{([^\n]*?)\}\}|\\[!-/:-@[-`{-~]|(`+)|(\]\(<?)|([)>\s])|(\{\{|\}\})/gm;

/** Parses a template. Throws INVALID_REQUEST. */
export function templateOf(text: string): Template {
  if (text.trim() === '') throw invalid('blank', 'template', 'must have a visible character');
  const parts: (string | Value)[] = [];
  let end = 0;
  let [fence, ticks] = ['', ''];
  let target: number | undefined;
  for (const token of text.matchAll(TOKEN)) {
    const [whole, line, path, run, opens, ends, stray] = token;
    const after = token.index + whole.length;
    if (path !== undefined) {
      const isFirst = target === token.index;
      const inTarget = isFirst ? 'target' : 'inTarget';
      parts.push(text.slice(end, token.index));
      parts.push({
        path: stepsOf(path),
        place: fence || ticks ? 'code' : target === undefined ? 'text' : inTarget,
      });
      if (parts.length > 2 * MAX_PATHS)
        throw invalid('too_many', 'template', `must have at most ${MAX_PATHS} paths`);
      end = after;
    } else if (stray !== undefined)
      throw invalid('wrong_form', 'template', `has ${stray} without its counterpart on the same line`);
    else if (line !== undefined && (!fence || closesBlock(text, line, after, fence)))
      fence = fence ? '' : line;
    else if (fence) continue;
    else if (run !== undefined) {
      if (ticks) ticks = run === ticks ? '' : ticks;
      else if (closes(text, run, after)) ticks = run;
    } else if (ticks) continue;
    else if (opens !== undefined) target = after;
    else if (ends !== undefined) target = undefined;
  }
  parts.push(text.slice(end));
  return parts;
}

function stepsOf(path: string): string[] {
  if (!PATH.test(path))
    throw invalid(
      'wrong_form',
      'template',
      `{{${path.slice(0, 100)}}} is not a path of names and indexes, such as {{alerts[0].labels.host}}`,
    );
  return path.match(STEP) ?? [];
}

/** Whether a line that starts with `signs` closes the code block opened by `fence`. */
const closesBlock = (text: string, signs: string, after: number, fence: string): boolean =>
  signs.length >= fence.length &&
  signs[0] === fence[0] &&
  /^[ \t]*(?:\n|$)/.test(text.slice(after, after + MAX_TEMPLATE));

/** Whether the same run of backticks follows in the paragraph, which makes a code span. */
function closes(text: string, run: string, from: number): boolean {
  const next = new RegExp(`(?<!\`)${run}(?!\`)|\\n[ \\t]*\\n`, 'g');
  next.lastIndex = from;
  return next.exec(text)?.[0] === run;
}

/** Fills in the values of a payload. Missing paths become empty. Runs in bounded time. */
export function rendered(template: Template, payload: Loose): string {
  beginConversion();
  let text = '';
  for (const part of template) {
    if (typeof part === 'string') text += part;
    else {
      const shown = shownAt(part, valueAt(payload, part.path));
      const joins = text.endsWith('@') && /^[\w.-]/.test(shown);
      text += joins ? ZERO_WIDTH_SPACE + shown : shown;
      if (text.length > MAX_RENDERED) break;
    }
  }
  return text;
}

function valueAt(payload: Loose, path: readonly string[]): Loose {
  let value = payload;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value) && !/^\d+$/.test(step)) return undefined;
    if (!Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return value;
}

function shownAt({ place }: Value, value: Loose): string {
  const text = textOf(value);
  switch (place) {
    case 'text':
      // Text that follows in the template could complete a mention.
      return escaped(unmentioning(text)).replace(/@$/, `@${ZERO_WIDTH_SPACE}`);
    case 'code':
      // Replaces backticks and fences, which would end the code.
      return unmentioning(text.replaceAll('`', "'").replace(/^( {0,3})~/gm, '$1-'));
    case 'target':
      return isUrl(text.trim()) ? targetOf(text) : '';
    case 'inTarget':
      return encodeURIComponent(text);
  }
}

function textOf(value: Loose): string {
  if (typeof value === 'object' && value !== null) return JSON.stringify(boundedCopy(value, MAX_JSON).copy);
  return typeof value === 'boolean' ? String(value) : markupOf(value);
}
