import { told, words } from './forge.ts';
import { joined, type Loose, stringOf } from './loose.ts';

/** Whether a payload is an action on an alert in Opsgenie. */
export const isOpsgenie = (payload: Loose): boolean =>
  typeof payload?.action === 'string' && typeof payload.alert?.alertId === 'string';

/** Converts an action on an alert in Opsgenie. */
export function ofOpsgenie(payload: Loose): string {
  const { action, alert } = payload ?? {};
  const tiny = stringOf(alert?.tinyId);
  const priority = words(alert?.priority);
  const message = words(joined([tiny && `#${tiny}`, stringOf(alert?.message)], ' '));
  return told({
    place: words(payload?.integrationName) || 'Opsgenie',
    actor: '',
    deed: joined([words(action), message, priority && `(${priority})`], ' '),
    body: alert?.note ?? (action === 'Create' ? alert?.description : ''),
  });
}
