import { prepare, type Statement } from '../../db/statements.ts';

type Build<R> = (digests: readonly string[]) => ReturnType<Parameters<typeof prepare<object, R>>[0]>;

/**
 * A statement about up to any number of digests, prepared for 1, 2, 4, 8 … of them: it repeats the last one. `build` gets
 * parameters, and may inspect none of them.
 */
export function forDigests<R>(build: Build<R>): (digests: readonly string[]) => Statement<R> {
  const prepared = new Map<number, (values: Record<string, string>) => Statement<R>>();
  return (digests) => {
    const size = 2 ** Math.ceil(Math.log2(digests.length));
    const names = Array.from({ length: size }, (_, place) => `digest ${place}`);
    let statement = prepared.get(size);
    if (!statement) {
      statement = prepare((p: Record<string, string>) => build(names.map((name) => p[name] as string)));
      prepared.set(size, statement);
    }
    const last = digests.length - 1;
    return statement(
      Object.fromEntries(names.map((name, place) => [name, digests[Math.min(place, last)] as string])),
    );
  };
}
