/** Figures of this node, those of `/metrics` that tell how it is. All but the last three only grow, from the start of its process on. */
export interface Figures {
  /** Requests that were answered. Streams are none: they end when their clients leave. */
  requests: number;
  /** The time that these took, in total. */
  requestMs: number;
  /** Those of them that a rate limit refused, and those that failed in the server. */
  limitedRequests: number;
  failedRequests: number;
  /** Writes in committed transactions. */
  writes: number;
  cpuMs: number;
  memoryBytes: number;
  streams: number;
  /** Null for a node without Valkey. */
  isValkeyUp: boolean | null;
}
