import { watch } from 'node:fs';
import { Pulse, type PulseOptions, resting } from '../lib/pulse.ts';
import type { Data } from './data.ts';

/** Interval of an idle node's rounds if changes by other processes are noticed by watching files. */
const WATCHING_REST_MS = 30_000;

/** Creates a node's pulse. Without activity, the node becomes idle. */
export const pulseOf = (data: Pick<Data, 'folder' | 'db'>): Pulse =>
  new Pulse({ ...resting, ...watching(data), onRest });

/** Releases memory when the node becomes idle. The module is loaded on first use. */
const onRest = (): void => {
  // Versions of Node without this kind of garbage collection keep the memory.
  import('../lib/releaseMemory.ts').then(({ releaseMemory }) => releaseMemory()).catch(() => {});
};

/**
 * Returns how an idle node notices changes by other processes. On SQLite, it watches the data folder, which
 * contains the write-ahead log.
 */
function watching({ folder, db }: Pick<Data, 'folder' | 'db'>): Pick<PulseOptions, 'watch' | 'restMs'> {
  if (db.read.dialect.name !== 'sqlite') return {};
  return {
    restMs: WATCHING_REST_MS,
    watch(changed) {
      try {
        const watcher = watch(folder, { persistent: false }, changed);
        watcher.on('error', () => watcher.close());
        return () => watcher.close();
      } catch {
        // The file system does not support watching, so the idle rounds notice changes.
        return () => {};
      }
    },
  };
}
