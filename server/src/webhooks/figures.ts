/** The outcome of an attempt: status 2xx, another status, no response. */
export type OutcomeName = 'accepted' | 'rejected' | 'unanswered';

/** Metrics of this node's deliveries. */
export class WebhookFigures {
  /** Attempts by outcome, since the start. */
  readonly attempts: Record<OutcomeName, number> = { accepted: 0, rejected: 0, unanswered: 0 };
  /** Webhooks disabled by this node, since the start. */
  readonly disabled = { failing: 0, gone: 0 };
  /** Called with the seconds from each event to its acceptance. */
  onAccepted: (seconds: number) => void = () => {};
}
