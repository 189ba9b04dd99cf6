import type { Db, Reader, Tx } from '../../server/src/db/contract.ts';

/**
 * A database in which every statement and every write transaction first awaits `gate`. If `inWrites` is false,
 * statements within a write transaction do not await it.
 */
export function gated(db: Db, gate: () => Promise<void> | void, { inWrites = true } = {}): Db {
  const through = <T extends Reader | Tx>(target: T): T =>
    over(target, (name, call) =>
      ['first', 'all', 'json', 'run', 'count'].includes(name)
        ? async (...values: unknown[]) => {
            await gate();
            return call(...values);
          }
        : name === 'inTurn'
          ? (task: (db: Reader) => unknown) => call((inner: Reader) => task(through(inner)))
          : undefined,
    );
  const read = through(db.read);
  return over(
    db,
    (name, call) =>
      name === 'write'
        ? async (work: (tx: Tx) => Promise<unknown>, ...rest: unknown[]) => {
            await gate();
            return call((tx: Tx) => work(inWrites ? through(tx) : tx), ...rest);
          }
        : undefined,
    { read },
  );
}

type Call = (...values: unknown[]) => unknown;

/** An object with some of its methods replaced. The others run on the object itself. */
function over<T extends object>(
  target: T,
  replace: (name: string, call: Call) => unknown,
  properties: Partial<T> = {},
): T {
  return new Proxy(target, {
    get(_, name) {
      if (Object.hasOwn(properties, name)) return Reflect.get(properties, name);
      const value = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const call: Call = value.bind(target);
      return replace(String(name), call) ?? call;
    },
  });
}

/** A database in which a delete that has one of these parameters throws. */
export function poisoned(db: Db, poison: ReadonlySet<string>): Db {
  const check = (query: unknown) => {
    const { values, compile } = query as {
      values?: Record<string, unknown>;
      compile?: () => { sql: string; parameters: unknown[] };
    };
    const compiled = values ? undefined : compile?.call(query);
    if (compiled && !compiled.sql.startsWith('delete')) return;
    const all = values ? Object.values(values) : (compiled?.parameters ?? []);
    if (values && !JSON.stringify((query as { template: unknown }).template).includes('DeleteQueryNode'))
      return;
    if (all.some((value) => poison.has(value as string))) throw new Error('poison');
  };
  const inTransaction = (tx: Tx): Tx =>
    over(tx, (name, call) =>
      ['run', 'count'].includes(name)
        ? async (query: unknown) => {
            check(query);
            return call(query);
          }
        : undefined,
    );
  return over(db, (name, call) =>
    name === 'write'
      ? (work: (tx: Tx) => Promise<unknown>, ...rest: unknown[]) =>
          call((tx: Tx) => work(inTransaction(tx)), ...rest)
      : undefined,
  );
}
