import { linked, told, words } from './forge.ts';
import { firstOf, joined, type Loose, listOf, stringOf } from './loose.ts';

/**
 * Whether a payload is a notification from Statuspage, or from Instatus, which uses the same format and also
 * sends notifications about maintenance.
 */
export const isStatuspage = (payload: Loose): boolean =>
  typeof payload?.page?.id === 'string' &&
  (typeof (payload.incident ?? payload.maintenance)?.name === 'string' ||
    typeof payload.component_update === 'object');

/** Converts a Statuspage notification about an incident or a component to the text of a message. */
export function ofStatuspage(payload: Loose): string {
  const { page, component, component_update: update } = payload ?? {};
  const incident = payload?.incident ?? payload?.maintenance;
  const place = words(page?.status_description) || 'Statuspage';
  if (!incident) {
    const change = joined([words(update?.old_status), words(update?.new_status)], ' → ');
    return told({ place, actor: '', deed: joined([words(component?.name), change], ': ') });
  }
  const status = words(incident.status);
  return told({
    place,
    actor: '',
    deed: joined(
      [linked(firstOf(incident.shortlink, incident.url), stringOf(incident.name)), status && `(${status})`],
      ' ',
    ),
    body: listOf(incident.incident_updates ?? incident.maintenance_updates)[0]?.body,
  });
}
