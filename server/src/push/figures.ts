/**
 * The outcome of an attempt: a 2xx status, another status, no response, or a subscription that no longer
 * exists.
 */
export type PushOutcome = 'accepted' | 'rejected' | 'unanswered' | 'gone';

/** Metrics about this node's pushes. */
export class PushFigures {
  /** Attempts by outcome, since the node started. */
  readonly attempts: Record<PushOutcome, number> = { accepted: 0, rejected: 0, unanswered: 0, gone: 0 };
  /** Called with the seconds from a message until a push service accepted its push. */
  onAccepted: (seconds: number) => void = () => {};
}
