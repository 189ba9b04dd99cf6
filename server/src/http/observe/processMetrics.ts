import { readdirSync, readFileSync } from 'node:fs';
import { constants, monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics } from 'node:v8';
import type { Registry } from './exposition.ts';

/** The detail of a performance entry of the type `gc`. */
interface PerformanceNodeEntry extends PerformanceEntry {
  detail: { kind: number };
}

/** The kinds of garbage collection. */
const KINDS = {
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weakcb',
};

/** Reads a file in /proc/self, which exists only on Linux; empty elsewhere. */
function procFile(name: string): string {
  try {
    return readFileSync(`/proc/self/${name}`, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Metrics of the process and of Node, with the names that other Prometheus clients for Node use, after the
 * prefix `palaver_`. After the first call, a timer samples the event loop delay a hundred times a second.
 */
export function measureProcess(registry: Registry): void {
  measureCpu(registry);
  measureMemory(registry);
  measureEventLoop(registry);
  measureGarbage(registry);
  registry.gaugeEach('nodejs_active_resources', 'Resources that keep the event loop alive', 'type', () => {
    const amounts: Record<string, number> = {};
    for (const type of process.getActiveResourcesInfo()) amounts[type] = (amounts[type] ?? 0) + 1;
    return amounts;
  });
  registry.gauge(
    'nodejs_active_resources_total',
    'Resources that keep the event loop alive, in total',
    () => process.getActiveResourcesInfo().length,
  );
  const { version } = process;
  const [major = '', minor = '', patch = ''] = version.slice(1).split('.');
  const labels = { version, major, minor, patch };
  registry.add({
    name: 'nodejs_version_info',
    help: 'Version of Node',
    type: 'gauge',
    read: () => [{ value: 1, labels }],
  });
}

function measureCpu(registry: Registry): void {
  const seconds = () => {
    const { user, system } = process.cpuUsage();
    return { user: user / 1e6, system: system / 1e6 };
  };
  registry.count('process_cpu_user_seconds', 'User CPU time in seconds', () => seconds().user);
  registry.count('process_cpu_system_seconds', 'System CPU time in seconds', () => seconds().system);
  registry.count('process_cpu_seconds', 'User and system CPU time in seconds', () => {
    const { user, system } = seconds();
    return user + system;
  });
  const started = Math.round(Date.now() / 1000 - process.uptime());
  registry.gauge(
    'process_start_time_seconds',
    'Start of the process, in seconds since the Unix epoch',
    () => started,
  );
}

function measureMemory(registry: Registry): void {
  registry.gauge('process_resident_memory_bytes', 'Resident memory in bytes', () =>
    process.memoryUsage.rss(),
  );
  if (procFile('status')) {
    const bytesOf = (name: string) =>
      1024 * Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(procFile('status'))?.[1]);
    registry.gauge('process_virtual_memory_bytes', 'Virtual memory in bytes', () => bytesOf('VmSize'));
    registry.gauge('process_heap_bytes', 'Heap of the process in bytes', () => bytesOf('VmData'));
    registry.gauge(
      'process_open_fds',
      'Open file descriptors',
      () => readdirSync('/proc/self/fd').length - 1,
    );
    const most = Number(/^Max open files +(\d+)/m.exec(procFile('limits'))?.[1]);
    registry.gauge('process_max_fds', 'Maximum open file descriptors', () => most);
  }
  const heap = (name: 'heapTotal' | 'heapUsed' | 'external') => () => process.memoryUsage()[name];
  registry.gauge('nodejs_heap_size_total_bytes', "Size of Node's heap in bytes", heap('heapTotal'));
  registry.gauge('nodejs_heap_size_used_bytes', "Used part of Node's heap in bytes", heap('heapUsed'));
  registry.gauge(
    'nodejs_external_memory_bytes',
    "Node's memory outside the heap, in bytes",
    heap('external'),
  );
  for (const [part, field] of [
    ['total', 'space_size'],
    ['used', 'space_used_size'],
    ['available', 'space_available_size'],
  ] as const) {
    registry.gaugeEach(
      `nodejs_heap_space_size_${part}_bytes`,
      `Size of each V8 heap space in bytes (${part})`,
      'space',
      () =>
        Object.fromEntries(
          getHeapSpaceStatistics().map((space) => [space.space_name.replace(/_space$/, ''), space[field]]),
        ),
    );
  }
}

function measureEventLoop(registry: Registry): void {
  const delays = monitorEventLoopDelay();
  delays.enable();
  const name = (part: string) => `nodejs_eventloop_lag${part}_seconds`;
  registry.gauge(name(''), 'Current delay of the event loop in seconds', async () => {
    const asked = performance.now();
    await new Promise((resolve) => setImmediate(resolve));
    return (performance.now() - asked) / 1000;
  });
  const parts = {
    min: () => delays.min,
    max: () => delays.max,
    mean: () => delays.mean,
    stddev: () => delays.stddev,
    p50: () => delays.percentile(50),
    p90: () => delays.percentile(90),
    p99: () => delays.percentile(99),
  };
  for (const [part, read] of Object.entries(parts)) {
    registry.gauge(name(`_${part}`), `Delay of the event loop since the last scrape, ${part}`, () => {
      const nanoseconds = read();
      // Starts the interval until the next scrape. p99 is read last, and nothing is measured between these
      // reads, because they are synchronous.
      if (part === 'p99') delays.reset();
      return nanoseconds / 1e9;
    });
  }
}

function measureGarbage(registry: Registry): void {
  const durations = registry.histogram(
    'nodejs_gc_duration_seconds',
    'Duration of garbage collections by kind: major, minor, incremental or weakcb',
    [0.001, 0.01, 0.1, 1, 2, 5],
  );
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as PerformanceNodeEntry[]) {
      const kind = KINDS[entry.detail.kind];
      if (kind !== undefined) durations.of({ kind }).observe(entry.duration / 1000);
    }
  }).observe({ entryTypes: ['gc'] });
}
