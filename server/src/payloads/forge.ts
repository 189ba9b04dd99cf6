import { cut, escaped, link, oneLine, quote, unmentioning } from './commonmark.ts';
import { joined, type Loose, listOf, stringOf } from './loose.ts';

/**
 * Building blocks for messages about events on a forge, such as GitHub. The content comes from third parties,
 * so it must not mention anybody.
 */

const MAX_COMMITS = 10;
const MAX_TITLE_CHARACTERS = 200;
const MAX_BODY_CHARACTERS = 600;
const MAX_BODY_LINES = 12;

/** Formats untrusted text, such as a title, on one line. */
export const words = (value: Loose): string =>
  escaped(unmentioning(cut(oneLine(stringOf(value)), MAX_TITLE_CHARACTERS)));

/** Formats a link with an untrusted label. Without a URL, returns only the label. */
export function linked(url: Loose, label: Loose): string {
  const text = unmentioning(cut(oneLine(stringOf(label)), MAX_TITLE_CHARACTERS));
  return stringOf(url) ? link(stringOf(url), text) : escaped(text);
}

/** The parts of a message about an event, as CommonMark. Only `body` is untrusted. */
export interface Story {
  place: string;
  /** The user who performed the action; may be empty. */
  actor: string;
  /** The action, as a phrase that follows the actor. */
  deed: string;
  /** The text of the event, which is truncated and quoted. */
  body?: Loose;
  /** CommonMark that is shown below the sentence. */
  list?: string;
}

/** Formats an event as `place: **actor** deed`, followed by the list and the quote. */
export function told({ place, actor, deed, body, list }: Story): string {
  const sentence = joined([actor && `**${actor}**`, deed], ' ');
  return joined([joined([place, sentence], ': '), list ?? '', excerpt(body)], '\n\n');
}

/**
 * Formats the start of a CommonMark text as a quote. Removes HTML comments, which are common in templates.
 */
function excerpt(body: Loose): string {
  const text = withoutComments(stringOf(body).replace(/\r\n?/g, '\n')).trim();
  if (text === '') return '';
  const lines = text.split('\n');
  const short = cut(lines.slice(0, MAX_BODY_LINES).join('\n'), MAX_BODY_CHARACTERS);
  const more = lines.length > MAX_BODY_LINES && !short.endsWith('…') ? '\n…' : '';
  return quote(unmentioning(short) + more);
}

function withoutComments(text: string): string {
  const parts: string[] = [];
  let end = 0;
  for (;;) {
    const start = text.indexOf('<!--', end);
    if (start === -1) break;
    parts.push(text.slice(end, start));
    const close = text.indexOf('-->', start);
    if (close === -1) return parts.join('');
    end = close + 3;
  }
  return parts.join('') + text.slice(end);
}

/** Formats the commits of a push as a list of at most ten. */
export function commitsOf(commits: Loose, count: number): string {
  const shown = listOf(commits).slice(0, MAX_COMMITS).map(ofCommit);
  return joined([...shown, count > shown.length ? `- and ${count - shown.length} more` : ''], '\n');
}

function ofCommit(commit: Loose): string {
  const [title = ''] = stringOf(commit?.message).trim().split('\n', 1);
  const id = linked(commit?.url, stringOf(commit?.id).slice(0, 7) || 'commit');
  const author = words(commit?.author?.name);
  return `- ${joined([id, words(title), author && `— ${author}`], ' ')}`;
}

/** Formats a count with its noun: `1 commit`, `2 commits`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Splits `refs/heads/main` into kind and name. */
export function refOf(ref: Loose): { kind: string; name: string } {
  const [, kind, name] = /^refs\/(heads|tags)\/(.+)$/s.exec(stringOf(ref)) ?? [];
  return { kind: kind === 'tags' ? 'tag' : 'branch', name: name ?? stringOf(ref) };
}

/** Converts an action's name to words: `ready_for_review` to `ready for review`. */
export const spaced = (value: Loose): string => words(stringOf(value).replace(/[_-]+/g, ' ').toLowerCase());

/** Whether a commit id is all zeros, which means none. */
export const isNone = (id: Loose): boolean => /^0+$/.test(stringOf(id));
