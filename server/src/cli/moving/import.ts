import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../../config.ts';
import { type OpenArchive, openArchive } from '../../imports/archive.ts';
import { prepare } from '../../imports/into.ts';
import type { Destination } from '../../imports/place.ts';
import type { Report } from '../../imports/report.ts';
import { ArchiveRefused, kinds, type SourceName, sources } from '../../imports/row.ts';
import { changedSettings } from '../../limits/platformSettings.ts';
import { type RuntimeSettings, runtimeSettingNames, runtimeSettings } from '../../limits/runtime.ts';
import type { Data } from '../../node/data.ts';
import { change } from '../../resources/change.ts';
import { recordCommand } from '../../resources/recordCommand.ts';
import { CommandError } from '../commandError.ts';
import { userNamed } from '../people/find.ts';
import { nameFrom } from '../records/name.ts';
import type { TellStep } from '../terminal.ts';

/** The options of `palaver import`. */
export interface ImportOptions {
  from: string;
  server?: string | undefined;
  newServer?: string | undefined;
  owner?: string | undefined;
  dryRun?: boolean | undefined;
}

/** The result of an import, and whether it matches the dry run. */
export interface Imported {
  report: Report;
  isAsPlanned: boolean;
}

/**
 * `palaver import`: imports an archive into a server. Starts with a dry run, so that it fails before it
 * writes anything if a quota would be exceeded or the archive is damaged. Throws CommandError.
 */
export async function importArchive(
  { data, config }: { data: Data; config: Config },
  path: string,
  given: ImportOptions,
  tell: TellStep = () => {},
): Promise<Imported> {
  const source = sourceFrom(given.from);
  const to = await destinationOf(data, given);
  const archive = await opened(path);
  try {
    const { server, plan, run } = await prepare({
      ...{ services: data, source, archive, to, quotas: config.quotas },
      settings: await settingsOf(data, config),
      allowedHosts: { allowPrivate: config.privateWebhooks, hosts: [] },
      onProgress: (rows, isDry) => tell(`${isDry ? 'Reading the archive' : 'Importing'}: ${rows} rows`),
    });
    const planned = await plan();
    if (given.dryRun) return { report: planned, isAsPlanned: true };
    const report = await run();
    const { messages } = report;
    await change(data, ({ db: tx }) =>
      recordCommand(tx, data.deps, 'import', { serverId: server.id, messages: messages.written }),
    );
    return { report, isAsPlanned: isDeepStrictEqual(planned, report) };
  } catch (error) {
    if (error instanceof ArchiveRefused) throw new CommandError(error.message);
    throw error;
  } finally {
    await archive.close();
  }
}

export function sourceFrom(text: string): SourceName {
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

/** Returns the target of an import. Throws CommandError. */
async function destinationOf(
  { db }: Data,
  { server, newServer, owner }: ImportOptions,
): Promise<Destination> {
  requireDestination({ server, newServer, owner });
  if (server !== undefined) return { serverId: server };
  return { name: nameFrom(newServer) as string, owner: await userNamed(db.read, owner as string) };
}

/** Throws CommandError unless the options specify a target. */
export function requireDestination({
  server,
  newServer,
  owner,
}: Pick<ImportOptions, 'server' | 'newServer' | 'owner'>): void {
  if ((server === undefined) === (newServer === undefined))
    throw new CommandError('pass either --server or --new-server');
  if (newServer !== undefined && owner === undefined)
    throw new CommandError('--new-server needs --owner, the username of its owner');
}

/** Returns the lines of a report for people. */
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
