import type { platformHealth as English } from '../en/platformHealth.ts';
import { bytes, milliseconds, number, percent } from '../format.ts';

const about = (value: number): string => number(value < 10 ? Math.round(value * 10) / 10 : Math.round(value));

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
