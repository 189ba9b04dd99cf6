import { linked, told, words } from './forge.ts';
import { firstOf, joined, type Loose, listOf, stringOf } from './loose.ts';

/**
 * Whether a payload is a notification of Statuspage, or of Instatus, which sends the same format and
 * additionally maintenances.
 */
export const isStatuspage = (payload: Loose): boolean =>
  typeof payload?.page?.id === 'string' &&
  (typeof (payload.incident ?? payload.maintenance)?.name === 'string' ||
    typeof payload.component_update === 'object');

/** Converts a notification of Statuspage about an incident or a component. */
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
