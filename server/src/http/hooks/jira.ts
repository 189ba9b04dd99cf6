import { linked, spaced, told, words } from './forge.ts';
import { firstOf, joined, type Loose, listOf, stringOf } from './loose.ts';

/** Changed fields shown per event. */
const MAX_CHANGES = 10;

/** Whether a payload is an event of Jira. */
export const isJira = (payload: Loose): boolean => /^(jira:|comment_)/.test(stringOf(payload?.webhookEvent));

/** Converts an event about an issue or a comment in Jira. */
export function ofJira(payload: Loose): string {
  const { issue, comment, user, changelog } = payload ?? {};
  const event = spaced(stringOf(payload?.webhookEvent).replace(/^jira:/, ''));
  const changes = listOf(changelog?.items)
    .slice(0, MAX_CHANGES)
    .map(
      (item) =>
        `- ${words(item?.field)}: ${words(item?.fromString) || '–'} → ${words(item?.toString) || '–'}`,
    );
  return told({
    place: words(firstOf(issue?.fields?.project?.name, 'Jira')),
    actor: words(firstOf(user?.displayName, comment?.author?.displayName)),
    deed: joined(
      [
        event,
        linked(browseUrl(issue), joined([stringOf(issue?.key), stringOf(issue?.fields?.summary)], ' ')),
      ],
      ' ',
    ),
    list: joined(changes, '\n'),
    body: comment?.body ?? (changes.length === 0 ? issue?.fields?.description : ''),
  });
}

/** The page of an issue: payloads have only the URL of its API. */
function browseUrl(issue: Loose): string {
  const site = /^https?:\/\/[^/]+/.exec(stringOf(issue?.self))?.[0];
  return site ? `${site}/browse/${encodeURIComponent(stringOf(issue.key))}` : '';
}
