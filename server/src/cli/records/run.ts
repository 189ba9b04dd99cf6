import type { Config } from '../../config.ts';
import type { Reader } from '../../db/contract.ts';
import type { Seal } from '../../lib/seal.ts';
import type { Data } from '../../node/data.ts';
import type { Work } from '../../operations/work.ts';
import type { Call, Outcome } from '../command.ts';
import { linesOf } from '../print.ts';

// Rows pass functions that load the implementation on demand, so that `palaver --help` starts quickly.

/**
 * The `run` function of a command that makes a change in one transaction, adds it to the audit log in that
 * transaction, and prints the record. With `first`, the command creates the data folder or the database
 * tables if they do not exist.
 */
export const making =
  <G, N extends string[]>(
    load: (
      config: Config,
    ) => Promise<(work: Work & { seal: Seal }, given: G, ...names: N) => Promise<{ id: string }>>,
    { first = false } = {},
  ) =>
  async ({ config, given, command }: Call<G>, ...names: N): Promise<Outcome> => {
    const [make, { change }, { recordCommand }, { withData }] = await Promise.all([
      load(config),
      import('../../resources/change.ts'),
      import('../../resources/recordCommand.ts'),
      import('./withData.ts'),
    ]);
    const recorded = (data: Data) => async (work: Work) => {
      const record = await make(Object.assign(work, { seal: data.seal }), given, ...names);
      await recordCommand(work.db, data.deps, command, { id: record.id });
      return record;
    };
    return { record: await withData(config, (data) => change(data, recorded(data)), first) };
  };

/** Like `making`, for a command that changes the record whose id is its argument. */
export const changing = <G>(
  load: (
    config: Config,
  ) => Promise<(work: Work & { seal: Seal }, id: string, given: G) => Promise<{ id: string }>>,
) =>
  making(async (config) => {
    const alter = await load(config);
    return (work, given: G, id: string) => alter(work, id, given);
  });

type MakeLink<G> = (work: Work & { seal: Seal }, given: G, config: Config) => Promise<{ id: string }>;

/**
 * The `run` function of a command that creates a link. Prints the link, which is shown only once, or the
 * address to which it is mailed.
 */
export const linking =
  <G>(load: () => Promise<MakeLink<G>>) =>
  async (call: Call<G>): Promise<Outcome> => {
    const { record } = await making(async (config) => {
      const make = await load();
      return (work, given: G) => make(work, given, config);
    })(call);
    const lines = (note: string) => ({ record, lines: [...linesOf(record), note] });
    if ('mailedTo' in record)
      return lines(
        'The link is emailed within seconds, or once the server runs. It is not shown anywhere else.',
      );
    if (call.config.address !== '') return { record };
    return lines(
      `If the server is not at http://localhost:${call.config.port}, the link needs its address: set PALAVER_ADDRESS, or pass --port.`,
    );
  };

type Read<G, N extends string[], T> = (db: Reader, given: G, ...names: N) => Promise<T>;

/** The `run` function of a command that prints a record. */
export const reading =
  <G, N extends string[]>(load: () => Promise<Read<G, N, object>>) =>
  async ({ config, given }: Call<G>, ...names: N): Promise<Outcome> => {
    const read = await load();
    const { withData } = await import('./withData.ts');
    return { record: await withData(config, ({ db }) => read(db.read, given, ...names)) };
  };

/** The `run` function of a command that lists records. On a terminal, they are a table with these columns. */
export const listing =
  <G, N extends string[]>(columns: readonly string[], load: () => Promise<Read<G, N, object[]>>) =>
  async (call: Call<G>, ...names: N): Promise<Outcome> => ({
    ...(await reading(load)(call, ...names)),
    columns,
  });
