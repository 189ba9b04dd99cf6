/** The outcome of an attempt: status 2xx, another status, no response. */
export type OutcomeName = 'accepted' | 'rejected' | 'unanswered';

/** Metrics of this node's deliveries. */
export class WebhookFigures {
  /** Attempts by outcome, since the node started. */
  readonly attempts: Record<OutcomeName, number> = { accepted: 0, rejected: 0, unanswered: 0 };
  /** Webhooks disabled by this node since it started. */
  readonly disabled = { failing: 0, gone: 0 };
  /** Called with the latency of an accepted delivery in seconds, counted from its event. */
  onAccepted: (seconds: number) => void = () => {};
}
