import type { State } from './findings.ts';

export type Sample = State & { at: number };

/** What a node has to do, in the order of the page. */
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

/** Figures that only grow from the start of a node on. */
type Total = 'requests' | 'requestMs' | 'limitedRequests' | 'failedRequests' | 'writes' | 'cpuMs';

/**
 * How it was at each look: in a second since the look before at the same node, or since the node's start; `duration` in ms of a request,
 * `cpu` as a share of one processor, `streams` and `memory` (bytes) as they were then.
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
