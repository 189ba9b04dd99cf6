import type { World } from './world.ts';

type Reads = World['data']['db']['read'];

/** Runs a task, and passes it a function that returns how many reads the world's node has made. */
export async function countedReads<T>(
  { data: { db } }: World,
  task: (count: () => number) => Promise<T>,
): Promise<T> {
  let count = 0;
  const { read, readFor } = db;
  const counting = (reader: Reads): Reads =>
    new Proxy(reader, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          if (name === 'first' || name === 'all' || name === 'json') count++;
          if (name !== 'inTurn') return value.apply(target, given);
          const [run] = given as [(inner: Reads) => unknown];
          return value.call(target, (inner: Reads) => run(counting(inner)));
        };
      },
    });
  Object.defineProperty(db, 'read', { value: counting(read), configurable: true });
  Object.defineProperty(db, 'readFor', {
    value: (tenant: string) => counting(readFor.call(db, tenant)),
    configurable: true,
  });
  try {
    return await task(() => count);
  } finally {
    Object.defineProperty(db, 'read', { value: read, configurable: true });
    Object.defineProperty(db, 'readFor', { value: readFor.bind(db), configurable: true });
  }
}
