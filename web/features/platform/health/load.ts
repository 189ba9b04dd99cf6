import type { State } from './findings.ts';

export type Sample = State & { at: number };

/** A node's load figures, in the order in which the page shows them. */
export const loads = [
  'requests',
  'duration',
  'limited',
  'failed',
  'writes',
  'streams',
  'cpu',
  'memory',
] as const;
export type Load = (typeof loads)[number];

/** Counters that only grow while a node runs. */
type Total = 'requests' | 'requestMs' | 'limitedRequests' | 'failedRequests' | 'writes' | 'cpuMs';

/**
 * The load at each sample: rates per second since the previous sample from the same node, or since the
 * node's start. `duration` is in ms per request, and `cpu` is a fraction of one core. `streams` and
 * `memory` (in bytes) are current values.
 */
export function loadOf(samples: readonly Sample[]): Record<Load, number>[] {
  return samples.map((sample, at) => {
    const before = samples.slice(0, at).findLast(({ startedAt }) => startedAt === sample.startedAt);
    const grown = (total: Total) => sample[total] - (before?.[total] ?? 0);
    const ms = Math.max(before ? sample.at - before.at : sample.uptimeSeconds * 1000, 1000);
    const inSecond = (total: Total) => (grown(total) * 1000) / ms;
    return {
      requests: inSecond('requests'),
      duration: grown('requestMs') / Math.max(grown('requests'), 1),
      limited: inSecond('limitedRequests'),
      failed: inSecond('failedRequests'),
      writes: inSecond('writes'),
      streams: sample.streams,
      cpu: grown('cpuMs') / ms,
      memory: sample.memoryBytes,
    };
  });
}
