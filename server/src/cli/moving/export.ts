import { resolve } from 'node:path';
import { find } from '../../db/statements.ts';
import { type ExportGiven, exportTo } from '../../imports/export/export.ts';
import { exportPerson } from '../../imports/export/person.ts';
import { ExportRefused } from '../../imports/export/refused.ts';
import { isId } from '../../lib/deps.ts';
import type { Data } from '../../node/data.ts';
import { change } from '../../resources/change.ts';
import { recordCommand } from '../../resources/recordCommand.ts';
import { CommandError } from '../commandError.ts';
import { userNamed } from '../people/find.ts';
import type { TellStep } from '../terminal.ts';

/** The options of `palaver export`. */
export interface ExportOptions {
  server?: string | undefined;
  channel?: string | undefined;
  /** A username. */
  user?: string | undefined;
}

interface Exported {
  folder: string;
  counts: Record<string, number>;
}

/**
 * `palaver export`: writes a server, a channel or a person's data to a folder, even while the server is in
 * use. If it is interrupted, running it again continues. Throws CommandError.
 */
export async function exportFolder(
  data: Data,
  dir: string,
  { server, channel, user }: ExportOptions,
  tell: TellStep = () => {},
): Promise<Exported> {
  if ((server === undefined) === (user === undefined))
    throw new CommandError('pass either --server or --user');
  if (user === undefined)
    return exportServer(data, dir, { serverId: server as string, channelId: channel }, tell);
  if (channel !== undefined) throw new CommandError('--channel needs --server');
  const { id } = await userNamed(data.db.read, user);
  return exported(data, dir, tell, {
    write: (given) => exportPerson({ ...given, userId: id }),
    about: { userId: id },
  });
}

async function exportServer(
  data: Data,
  dir: string,
  { serverId, channelId }: { serverId: string; channelId: string | undefined },
  tell: TellStep,
): Promise<Exported> {
  const server = isId(serverId) ? await data.db.read.first(find('server', { id: serverId })) : undefined;
  if (!server || server.deletedAt !== null)
    throw new CommandError(`server ${JSON.stringify(serverId)} does not exist`);
  if (channelId !== undefined && !isId(channelId))
    throw new CommandError(`channel ${JSON.stringify(channelId)} does not exist`);
  return exported(data, dir, tell, {
    write: (given) => exportTo({ ...given, scope: { serverId, channelId } }),
    about: { serverId, channelId: channelId ?? null },
  });
}

async function exported(
  { db, deps, files }: Data,
  dir: string,
  tell: TellStep,
  of: {
    write(given: ExportGiven): Promise<Record<string, number>>;
    about: Record<string, string | null>;
  },
): Promise<Exported> {
  const folder = resolve(dir);
  try {
    const counts = await of.write({
      ...{ db: db.read, files, folder },
      now: () => deps.now(),
      newId: () => deps.newId(),
      onProgress: (messages) => tell(`Exporting: ${messages} messages`),
    });
    await change({ db, deps }, ({ db: tx }) => recordCommand(tx, deps, 'export', of.about));
    return { folder, counts };
  } catch (error) {
    if (error instanceof ExportRefused) throw new CommandError(error.message);
    throw error;
  }
}
