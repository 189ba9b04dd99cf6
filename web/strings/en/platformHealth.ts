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
};
