import { linked, spaced, told, words } from './forge.ts';
import { each, firstOf, joined, type Loose, listOf, stringOf } from './loose.ts';

/** Maximum changed fields to show per event. */
const MAX_CHANGES = 10;
/** Maximum nesting of rich text that is read. */
const MAX_LEVELS = 8;

/** The records, other than issues, that events can be about. Each has a `name`. */
const OTHERS = ['sprint', 'version', 'board', 'filter', 'issueType'] as const;

/** Whether a payload is an issue transition, as sent by workflows in older versions of Jira. */
const isTransition = (payload: Loose): boolean =>
  typeof payload?.transition?.transitionName === 'string' && typeof payload.issue?.key === 'string';

/** Whether a payload is an event from Jira. */
export const isJira = (payload: Loose): boolean =>
  isTransition(payload) || /^(jira:)?[a-z]{3,20}_[a-z_]{3,40}$/.test(stringOf(payload?.webhookEvent));

/** Converts an event from Jira about an issue, a comment, or another record, which is shown by its name. */
export function ofJira(payload: Loose): string {
  const { issue, comment, user, changelog, worklog } = payload ?? {};
  const { webhookEvent, transition } = payload ?? {};
  const event = spaced(firstOf(webhookEvent, transition?.transitionName).replace(/^jira:/, ''));
  const moved = { field: 'status', fromString: transition?.from_status, toString: transition?.to_status };
  const changes = (isTransition(payload) ? [moved] : listOf(changelog?.items))
    .slice(0, MAX_CHANGES)
    .map(
      (item) =>
        `- ${words(item?.field)}: ${words(item?.fromString) || '–'} → ${words(item?.toString) || '–'}`,
    );
  const project = issue?.fields?.project ?? payload?.project;
  const other = OTHERS.map((name) => payload?.[name]).find((found) => typeof found === 'object' && found);
  const title =
    joined([stringOf(issue?.key), stringOf(issue?.fields?.summary)], ' ') || stringOf(other?.name);
  return told({
    place: words(firstOf(project?.name, project?.key, 'Jira')),
    actor: words(
      firstOf(
        user?.displayName,
        ...[comment, worklog].flatMap((by) => [by?.updateAuthor?.displayName, by?.author?.displayName]),
      ),
    ),
    deed: joined([event, linked(browseUrl(issue), title), words(worklog?.timeSpent)], ' '),
    list: joined(changes, '\n'),
    body: textOf(
      comment?.body ?? worklog?.comment ?? (changes.length === 0 ? issue?.fields?.description : ''),
      1,
    ),
  });
}

/** Returns the URL of an issue's page. Payloads contain only its API URL, which may be under a path. */
function browseUrl(issue: Loose): string {
  const site = /^(https?:\/\/[^?#]+?)\/rest\/(?:api|agile)\//.exec(stringOf(issue?.self))?.[1];
  return site ? `${site}/browse/${encodeURIComponent(stringOf(issue.key))}` : '';
}

/** Converts a text. In version 3 of Jira's API, a text is a document with nested nodes. */
function textOf(value: Loose, level: number): string {
  if (typeof value !== 'object' || value === null || level > MAX_LEVELS) return stringOf(value);
  if (value.type === 'hardBreak') return '\n';
  const inner = each(value.content, (node) => textOf(node, level + 1));
  const isBlock = listOf(value.content).some(
    (node) => node?.type === 'paragraph' || node?.type === 'listItem',
  );
  return stringOf(value.text ?? value.attrs?.text) + (isBlock ? joined(inner, '\n\n') : inner.join(''));
}
