import type { Reader } from '../../db/contract.ts';
import type { Work } from '../../operations/work.ts';
import type { Call, Outcome } from '../command.ts';

// The rows name functions by what loads them: `palaver --help` is quicker without all that changes data.

/** Runs a change in one transaction on the data, and gives the record that comes of it. */
export const making =
  <G, N extends string[]>(load: () => Promise<(work: Work, given: G, ...names: N) => Promise<object>>) =>
  async ({ config, given }: Call<G>, ...names: N): Promise<Outcome> => {
    const [make, { change }] = await Promise.all([load(), import('../../node/change.ts')]);
    const { withData } = await import('./withData.ts');
    return { record: await withData(config, (data) => change(data, (work) => make(work, given, ...names))) };
  };

/** Reads records from the data. */
export const listing =
  <G>(load: () => Promise<(db: Reader, given: G) => Promise<object[]>>) =>
  async ({ config, given }: Call<G>): Promise<Outcome> => {
    const list = await load();
    const { withData } = await import('./withData.ts');
    return { record: await withData(config, ({ db }) => list(db.read, given)) };
  };
