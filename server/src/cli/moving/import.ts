import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../../config.ts';
import type { RowOf } from '../../db/schema.ts';
import { find } from '../../db/statements.ts';
import { type OpenArchive, openArchive } from '../../imports/archive.ts';
import { fetching } from '../../imports/fetched.ts';
import { type Import, runImport } from '../../imports/import.ts';
import { idsOfExport } from '../../imports/palaver/ids.ts';
import { readers } from '../../imports/readers.ts';
import type { Report } from '../../imports/report.ts';
import {
  ArchiveRefused,
  idsFor,
  kinds,
  type ReadArchive,
  type SourceName,
  sources,
} from '../../imports/row.ts';
import { isId, newRow, timeOfId } from '../../lib/deps.ts';
import { changedSettings } from '../../limits/platformSettings.ts';
import { type RuntimeSettings, runtimeSettingNames, runtimeSettings } from '../../limits/runtime.ts';
import type { Data } from '../../node/data.ts';
import { change } from '../../resources/change.ts';
import { recordCommand } from '../../resources/recordCommand.ts';
import { addServer, newServer } from '../../resources/server/index.ts';
import { CommandError } from '../commandError.ts';
import { userNamed } from '../people/find.ts';
import { nameFrom } from '../records/name.ts';
import type { TellStep } from '../terminal.ts';

/** The options of `palaver import`. */
export interface ImportOptions {
  from: string;
  server?: string;
  newServer?: string;
  owner?: string;
  dryRun?: boolean;
}

/** The result of an import, and whether it did what its dry run said. */
export interface Imported {
  report: Report;
  isAsPlanned: boolean;
}

/**
 * `palaver import`: imports an archive into a server. A dry run comes first, so quotas and damaged archives stop the import
 * before it writes anything. Throws CommandError.
 */
export async function importArchive(
  { data, config }: { data: Data; config: Config },
  path: string,
  given: ImportOptions,
  tell: TellStep = () => {},
): Promise<Imported> {
  const source = sourceFrom(given.from);
  const load = (readers as Partial<Record<SourceName, () => Promise<{ default: ReadArchive }>>>)[source];
  if (!load) throw new CommandError(`--from ${source} is not supported`);
  const archive = await opened(path);
  try {
    const place = await placeFor(data, archive, given, source);
    const { server } = place;
    const { db, deps, files } = data;
    const run: Import = {
      ...{ services: { db, deps, files }, server, source, archive, read: (await load()).default },
      ids: source === 'palaver' ? await idsOfExport(db.read, archive, server.id) : idsFor(server.id, source),
      fetch: fetching({ allowPrivate: config.privateWebhooks, hosts: [] }),
      quotas: config.quotas,
      settings: await settingsOf(data, config),
    };
    const following = (step: string) => (rows: number) => tell(`${step}: ${rows} rows`);
    const planned = await runImport(
      { ...run, onProgress: following('Reading the archive') },
      { isDry: true },
    );
    if (given.dryRun) return { report: planned, isAsPlanned: true };
    await place.make();
    const report = await runImport({ ...run, onProgress: following('Importing') }, { isDry: false });
    const { messages } = report;
    await change(data, ({ db: tx }) =>
      recordCommand(tx, deps, 'import', { serverId: server.id, messages: messages.written }),
    );
    return { report, isAsPlanned: isDeepStrictEqual(planned, report) };
  } catch (error) {
    if (error instanceof ArchiveRefused) throw new CommandError(error.message);
    throw error;
  } finally {
    await archive.close();
  }
}

function sourceFrom(text: string): SourceName {
  const source = sources.find((name) => name === text);
  if (!source) throw new CommandError(`--from must be one of ${sources.join(', ')}`);
  return source;
}

async function opened(path: string): Promise<OpenArchive> {
  try {
    return await openArchive(path);
  } catch (error) {
    if (error instanceof ArchiveRefused) throw new CommandError(error.message);
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new CommandError(`${path} does not exist`);
    if (code === 'EACCES' || code === 'EPERM') throw new CommandError(`${path} cannot be read`);
    throw error;
  }
}

async function settingsOf({ db }: Data, config: Config): Promise<RuntimeSettings> {
  const changed = await changedSettings(db.read);
  return Object.fromEntries(
    runtimeSettingNames.map((name) => [
      name,
      changed[name] ?? (config as Partial<RuntimeSettings>)[name] ?? runtimeSettings[name].default,
    ]),
  ) as unknown as RuntimeSettings;
}

interface Place {
  server: RowOf<'server'>;
  /** Creates the server, if it is new. */
  make(): Promise<unknown>;
}

/** The server of an import. A new one gets its id from the archive, its name and its owner, so that an import continues. */
async function placeFor(
  data: Data,
  archive: OpenArchive,
  { server: id, newServer: wanted, owner }: ImportOptions,
  source: SourceName,
): Promise<Place> {
  const { db } = data;
  if ((id === undefined) === (wanted === undefined))
    throw new CommandError('pass either --server or --new-server');
  if (id !== undefined) {
    const found = isId(id) ? await db.read.first(find('server', { id })) : undefined;
    if (!found || found.deletedAt !== null)
      throw new CommandError(`there is no server ${JSON.stringify(id)}`);
    return { server: found, make: async () => {} };
  }
  if (owner === undefined) throw new CommandError('--new-server needs --owner, the username of its owner');
  const name = nameFrom(wanted) as string;
  const creator = await userNamed(db.read, owner);
  if (creator.suspendedAt !== null) throw new CommandError(`${owner} is suspended`);
  const sizes = archive.paths.map((path) => [path, archive.sizeOf(path)]);
  const sum = hash('sha256', JSON.stringify(sizes), 'hex');
  const newId = idsFor(creator.id, source)('channel', `server ${name} ${sum}`, timeOfId(creator.id));
  const found = await db.read.first(find('server', { id: newId }));
  if (found && found.deletedAt !== null)
    throw new CommandError(`the server ${name} is being deleted: try again later`);
  if (found) return { server: found, make: async () => {} };
  const planned = { ...newRow(data.deps), ...newServer(name, creator), id: newId, deletedAt: null, ord: 0 };
  return {
    server: planned,
    make: () => change(data, (work) => addServer(work, { name, creator, id: newId })),
  };
}

/** The lines of a report for people. */
export function linesOfReport(report: Report): string[] {
  const width = Math.max(...kinds.map((kind) => kind.length));
  const lines = [`server ${report.server}`];
  for (const kind of kinds) {
    const { found, written, present, lost, reasons } = report[kind];
    lines.push(
      `${kind.padEnd(width)}  found ${found}, written ${written}, present ${present}, lost ${lost}`,
      ...reasons.map(({ reason, count }) => `${' '.repeat(width)}  ${count} × ${reason}`),
    );
  }
  return lines;
}
