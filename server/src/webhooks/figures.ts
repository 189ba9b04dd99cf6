/** The outcome of an attempt: a 2xx status, another status, or no response. */
export type OutcomeName = 'accepted' | 'rejected' | 'unanswered';

/** Metrics about this node's deliveries. */
export class WebhookFigures {
  /** Attempts by outcome, since the node started. */
  readonly attempts: Record<OutcomeName, number> = { accepted: 0, rejected: 0, unanswered: 0 };
  /** The number of webhooks that this node has disabled since it started. */
  readonly disabled = { failing: 0, gone: 0 };
  /** Called with the time from an event to the acceptance of its delivery, in seconds. */
  onAccepted: (seconds: number) => void = () => {};
}
