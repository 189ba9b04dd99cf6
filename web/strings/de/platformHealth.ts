import type { platformHealth as English } from '../en/platformHealth.ts';
export const platformHealth: typeof English = {
  title: 'Last',
  lead: 'Die des Nodes, der geantwortet hat: Zahlen aus seinem /metrics, seit dem vorigen Nachsehen.',
  guide: 'Alle Zahlen, für Prometheus',
  chart: (what, value) => `${what}: jetzt ${value}`,
  loads: {
    requests: 'Anfragen je Sekunde',
    duration: 'Zeit für eine Anfrage',
    limited: 'Gedrosselt, je Sekunde',
    failed: 'Gescheitert, je Sekunde',
    writes: 'Schreibvorgänge je Sekunde',
    streams: 'Offene Streams',
    cpu: 'Prozessor',
    memory: 'Speicher',
  },
};
