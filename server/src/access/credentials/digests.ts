import { prepare, type Statement } from '../../db/statements.ts';

type Query<R> = ReturnType<Parameters<typeof prepare<object, R>>[0]>;

/**
 * Creates a statement for a variable number of keys. It is prepared for 1, 2, 4, 8 … keys and padded with the
 * last key, so only a few variants are cached. `build` gets placeholders and must not inspect their values.
 * `names` are the fields of a key.
 */
export function forKeys<K extends Record<string, string | null>, R>(
  names: readonly (keyof K & string)[],
  build: (keys: readonly K[]) => Query<R>,
): (keys: readonly K[]) => Statement<R> {
  const prepared = new Map<number, (values: Record<string, string | null>) => Statement<R>>();
  return (keys) => {
    const size = 2 ** Math.ceil(Math.log2(keys.length));
    const places = Array.from({ length: size }, (_, place) => place);
    let statement = prepared.get(size);
    if (!statement) {
      statement = prepare((p: Record<string, string | null>) =>
        build(
          places.map((place) => Object.fromEntries(names.map((name) => [name, p[`${name} ${place}`]])) as K),
        ),
      );
      prepared.set(size, statement);
    }
    const last = keys.length - 1;
    const valueIn = (place: number, name: string) =>
      (keys[Math.min(place, last)] as K)[name] as string | null;
    return statement(
      Object.fromEntries(
        places.flatMap((place) => names.map((name) => [`${name} ${place}`, valueIn(place, name)])),
      ),
    );
  };
}

/** Like `forKeys`, for keys that are plain digests. */
export function forDigests<R>(
  build: (digests: readonly string[]) => Query<R>,
): (digests: readonly string[]) => Statement<R> {
  const statement = forKeys<{ digest: string }, R>(['digest'], (keys) =>
    build(keys.map(({ digest }) => digest)),
  );
  return (digests) => statement(digests.map((digest) => ({ digest })));
}
