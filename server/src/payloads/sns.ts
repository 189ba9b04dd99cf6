import { bold, escaped, link, unmentioning } from './commonmark.ts';
import { told, words } from './forge.ts';
import { firstOf, joined, type Loose, markupOf, stringOf } from './loose.ts';

/** Whether a payload comes from Amazon SNS. */
export const isSns = (payload: Loose): boolean =>
  typeof payload?.TopicArn === 'string' && typeof payload.Type === 'string';

/** Matches the URL of a page for confirming a subscription. Links to other hosts are not shown. */
const CONFIRMATION = /^https:\/\/sns\.[a-z\d-]+\.amazonaws\.com(\.cn)?\//;

/**
 * Converts an Amazon SNS notification. A person confirms a subscription by opening the link, because the
 * server never requests a URL from a body.
 */
export function ofSns(payload: Loose): string {
  const {
    Type: type,
    TopicArn: topic,
    SubscribeURL: url,
    Subject: subject,
    Message: message,
  } = payload ?? {};
  if (type === 'SubscriptionConfirmation') {
    const isConfirmation = CONFIRMATION.test(stringOf(url));
    return joined(
      [
        bold('Amazon SNS wants to send messages to this channel'),
        `${escaped(unmentioning(stringOf(topic)))}: ${isConfirmation ? link(stringOf(url), 'confirm the subscription') : 'without a valid link'}`,
      ],
      '\n\n',
    );
  }
  const alarm = alarmIn(message);
  if (alarm) return ofAlarm(alarm);
  return joined([bold(unmentioning(markupOf(subject))), escaped(unmentioning(markupOf(message)))], '\n\n');
}

/** Maximum characters of an alarm. Longer messages are not parsed. */
const MAX_ALARM_CHARACTERS = 32_000;

/** Parses a message that is a CloudWatch alarm as JSON. Undefined for other messages. */
function alarmIn(message: Loose): Loose {
  if (typeof message !== 'string' || message.length > MAX_ALARM_CHARACTERS) return undefined;
  if (!message.startsWith('{') || !message.includes('"AlarmName"')) return undefined;
  try {
    const alarm = JSON.parse(message);
    return typeof alarm.AlarmName === 'string' ? alarm : undefined;
  } catch {
    return undefined;
  }
}

const ofAlarm = (alarm: Loose): string =>
  told({
    place: words(firstOf(alarm.Region, 'CloudWatch')),
    actor: '',
    deed: joined([words(alarm.AlarmName), `**${words(alarm.NewStateValue) || 'unknown'}**`], ' '),
    body: joined([stringOf(alarm.AlarmDescription), stringOf(alarm.NewStateReason)], '\n\n'),
  });
