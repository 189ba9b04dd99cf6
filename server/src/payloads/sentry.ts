import { linked, spaced, told, words } from './forge.ts';
import { firstOf, joined, type Loose, stringOf } from './loose.ts';

/** Whether a payload comes from Sentry's older service hooks, which send no header that identifies them. */
export const isSentry = (payload: Loose): boolean =>
  typeof payload?.project_name === 'string' &&
  typeof payload.url === 'string' &&
  typeof payload.event === 'object';

/**
 * Converts an event from Sentry: an issue, a comment, an error, an alert about an event, or a metric alert.
 */
export function ofSentry(payload: Loose): string {
  const { action, actor, data } = payload ?? {};
  if (!data) return ofServiceHook(payload);
  const {
    issue,
    event,
    error,
    metric_alert: metric,
    comment,
    description_title: title,
    triggered_rule: rule,
  } = data;
  const subject = issue ?? event ?? error ?? {};
  const url = firstOf(subject.web_url, subject.permalink, data.web_url);
  const name = firstOf(subject.title, title, metric?.title, metric?.alert_rule?.name);
  const body = firstOf(comment, subject.culprit, data.description_text, subject.message);
  return told({
    place: words(firstOf(issue?.project?.name, issue?.project?.slug, data.project_slug, 'Sentry')),
    actor: actor?.type === 'user' ? words(actor.name) : '',
    deed: joined([verbOf(action, { metric, rule, comment }), linked(url, name || 'an event')], ' '),
    body: stringOf(body).replaceAll('\\n', '\n'),
  });
}

/** Returns the action, as a phrase. Empty for a metric alert, whose title already contains its state. */
function verbOf(action: Loose, { metric, rule, comment }: Loose): string {
  if (metric) return '';
  if (rule) return words(rule);
  return comment === undefined ? spaced(action) : `comment ${spaced(action)} on`;
}

const ofServiceHook = (payload: Loose): string =>
  told({
    place: words(firstOf(payload?.project_name, payload?.project, 'Sentry')),
    actor: '',
    deed: joined(
      [
        spaced(payload?.level),
        linked(payload?.url, firstOf(payload?.event?.title, payload?.message, 'an event')),
      ],
      ' ',
    ),
    body: payload?.culprit,
  });
