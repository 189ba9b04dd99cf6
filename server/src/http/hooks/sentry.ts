import { linked, spaced, told, words } from './forge.ts';
import { firstOf, type Loose, stringOf } from './loose.ts';

/** Converts an event of a Sentry integration: an issue, an alert about an event, or a metric alert. */
export function ofSentry(payload: Loose): string {
  const {
    issue,
    event,
    metric_alert: metric,
    description_title: title,
    triggered_rule: rule,
  } = payload?.data ?? {};
  const subject = issue ?? event ?? {};
  const url = firstOf(subject.web_url, subject.permalink, payload?.data?.web_url);
  const name = firstOf(subject.title, title, metric?.title, 'an event');
  const verb = issue || metric ? spaced(payload?.action) : words(rule || 'triggered');
  return told({
    place: words(firstOf(issue?.project?.name, issue?.project?.slug, 'Sentry')),
    actor: payload?.actor?.type === 'user' ? words(payload.actor.name) : '',
    deed: [verb, linked(url, name)].filter(Boolean).join(' '),
    body: firstOf(subject.culprit, payload?.data?.description_text, stringOf(event?.message)),
  });
}
