import { linked, spaced, told, words } from './forge.ts';
import { firstOf, joined, type Loose, stringOf } from './loose.ts';

/** Whether a payload is an event from PagerDuty's webhooks, version 3. */
export const isPagerduty = (payload: Loose): boolean =>
  /^(incident|service|pagey)\./.test(stringOf(payload?.event?.event_type)) &&
  typeof payload.event.data === 'object';

/** Converts an event about an incident or a service in PagerDuty. */
export function ofPagerduty(payload: Loose): string {
  const { event_type: type, agent, data } = payload?.event ?? {};
  const incident = data?.incident ?? data;
  const number = stringOf(incident?.number);
  const title = joined(
    [number && `#${number}`, firstOf(incident?.title, incident?.summary, incident?.name)],
    ' ',
  );
  const urgency = words(incident?.urgency);
  return told({
    place: linked(data?.service?.html_url, firstOf(data?.service?.summary, 'PagerDuty')),
    actor: words(agent?.summary),
    deed: joined(
      [
        spaced(stringOf(type).replace(/\./g, '_')),
        linked(incident?.html_url, title),
        urgency && `(${urgency} urgency)`,
      ],
      ' ',
    ),
    // PagerDuty's test events contain only a message.
    body: firstOf(data?.content, data?.message),
  });
}
