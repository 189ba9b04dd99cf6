import { alertsOf, isAlertmanager } from './alertmanager.ts';
import { bold, image, link } from './commonmark.ts';
import { firstOf, joined, type Loose, listOf } from './loose.ts';

/** Whether a payload comes from Grafana's webhook, or is an alert from Grafana before version 9. */
export const isGrafana = (payload: Loose): boolean =>
  (isAlertmanager(payload) && 'orgId' in payload) ||
  (typeof payload?.ruleUrl === 'string' && 'state' in payload);

/**
 * Returns the title and the message, which were rendered by Grafana's own templates. Without a message, lists
 * the alerts.
 */
export function ofGrafana(payload: Loose): string {
  const title = firstOf(payload.title, payload.ruleName);
  const url = firstOf(payload.externalURL, payload.ruleUrl);
  const picture = firstOf(payload.imageUrl, listOf(payload.alerts)[0]?.imageURL);
  return joined(
    [
      title && url ? `**${link(url, title)}**` : bold(title),
      firstOf(payload.message) || alertsOf(payload),
      picture && image(picture, title),
    ],
    '\n\n',
  );
}
