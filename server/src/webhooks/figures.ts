/** The outcomes of an attempt: an answer with 2xx, another answer, no answer. */
export type OutcomeName = 'accepted' | 'rejected' | 'unanswered';

/** Counts what this node sends, for `/metrics`. */
export class WebhookFigures {
  /** Attempts by outcome, since the start. */
  readonly attempts: Record<OutcomeName, number> = { accepted: 0, rejected: 0, unanswered: 0 };
  /** Webhooks disabled by this node, since the start. */
  readonly disabled = { failing: 0, gone: 0 };
  /** Called with the seconds from each event to its acceptance. */
  onAccepted: (seconds: number) => void = () => {};
}
