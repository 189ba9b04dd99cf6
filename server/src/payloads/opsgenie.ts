import { spaced, told, words } from './forge.ts';
import { joined, type Loose, stringOf } from './loose.ts';

/** Whether a payload is an event about an alert in Opsgenie. */
export const isOpsgenie = (payload: Loose): boolean =>
  typeof payload?.action === 'string' && typeof payload.alert?.alertId === 'string';

/** Converts an event about an alert in Opsgenie. */
export function ofOpsgenie(payload: Loose): string {
  const { action, alert } = payload ?? {};
  // Converts `AddNote` to `add note`.
  const verb = stringOf(action).replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
  const tiny = stringOf(alert?.tinyId);
  // Older integrations send the priority as a number.
  const priority = words(stringOf(alert?.priority).replace(/^\d$/, 'P$&'));
  const message = words(joined([tiny && `#${tiny}`, stringOf(alert?.message)], ' '));
  return told({
    place: words(payload?.integrationName) || 'Opsgenie',
    actor: action === 'Create' ? '' : words(alert?.username),
    deed: joined([spaced(verb), message, priority && `(${priority})`], ' '),
    body: alert?.note ?? (action === 'Create' ? alert?.description : ''),
  });
}
