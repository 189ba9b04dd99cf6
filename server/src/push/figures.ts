/** The outcome of an attempt: status 2xx, another status, no response; or the subscription no longer exists. */
export type PushOutcome = 'accepted' | 'rejected' | 'unanswered' | 'gone';

/** Metrics of this node's pushes. */
export class PushFigures {
  /** Attempts by outcome, since the node started. */
  readonly attempts: Record<PushOutcome, number> = { accepted: 0, rejected: 0, unanswered: 0, gone: 0 };
  /** Called with the seconds from a message until a push service accepted its push. */
  onAccepted: (seconds: number) => void = () => {};
}
