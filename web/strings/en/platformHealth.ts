import { bytes, milliseconds, number, percent } from '../format.ts';

/** A number of which the first digits tell enough. */
const about = (value: number): string => number(value < 10 ? Math.round(value * 10) / 10 : Math.round(value));

/** The texts of the load of the platform. */
export const platformHealth = {
  title: 'Load',
  lead: 'Of the node that has answered: figures of its /metrics, since the look before.',
  guide: 'All figures, for Prometheus',
  chart: (what: string, value: string) => `${what}: ${value} now`,
  loads: {
    requests: 'Requests a second',
    duration: 'Time for a request',
    limited: 'Limited, a second',
    failed: 'Failed, a second',
    writes: 'Writes a second',
    streams: 'Open streams',
    cpu: 'Processor',
    memory: 'Memory',
  },
  values: {
    requests: about,
    duration: milliseconds,
    limited: about,
    failed: about,
    writes: about,
    streams: number,
    cpu: percent,
    memory: bytes,
  },
};
