import { bold, escaped, link, unmentioning } from './commonmark.ts';
import { joined, type Loose, markupOf, stringOf } from './loose.ts';

/** Whether a payload comes from Amazon SNS. */
export const isSns = (payload: Loose): boolean =>
  typeof payload?.TopicArn === 'string' && typeof payload.Type === 'string';

/** The pages on which subscriptions are confirmed. Links to other hosts are not shown. */
const CONFIRMATION = /^https:\/\/sns\.[a-z\d-]+\.amazonaws\.com(\.cn)?\//;

/**
 * Converts a notification of Amazon SNS. A subscription is confirmed by whoever opens the link: the server never
 * requests a URL that a body names.
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
  return joined([bold(unmentioning(markupOf(subject))), escaped(unmentioning(markupOf(message)))], '\n\n');
}
