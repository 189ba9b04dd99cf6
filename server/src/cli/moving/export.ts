import { resolve } from 'node:path';
import { find } from '../../db/statements.ts';
import { ExportRefused, exportTo } from '../../imports/export/export.ts';
import { isId } from '../../lib/deps.ts';
import type { Data } from '../../node/data.ts';
import { change } from '../../resources/change.ts';
import { recordCommand } from '../../resources/recordCommand.ts';
import { CommandError } from '../commandError.ts';
import type { TellStep } from '../terminal.ts';

/**
 * `palaver export`: writes a server or a channel to a folder, also while people write. Interrupted, running it again
 * continues. Throws CommandError.
 */
export async function exportServer(
  { db, deps, files }: Data,
  dir: string,
  { server: serverId, channel: channelId }: { server: string; channel?: string },
  tell: TellStep = () => {},
): Promise<{ folder: string; counts: Record<string, number> }> {
  const server = isId(serverId) ? await db.read.first(find('server', { id: serverId })) : undefined;
  if (!server || server.deletedAt !== null)
    throw new CommandError(`there is no server ${JSON.stringify(serverId)}`);
  if (channelId !== undefined && !isId(channelId))
    throw new CommandError(`there is no channel ${JSON.stringify(channelId)}`);
  const folder = resolve(dir);
  try {
    const counts = await exportTo({
      ...{ db: db.read, files, folder, scope: { serverId, channelId } },
      now: () => deps.now(),
      newId: () => deps.newId(),
      onProgress: (messages) => tell(`Exporting: ${messages} messages`),
    });
    await change({ db, deps }, ({ db: tx }) =>
      recordCommand(tx, deps, 'export', { serverId, channelId: channelId ?? null }),
    );
    return { folder, counts };
  } catch (error) {
    if (error instanceof ExportRefused) throw new CommandError(error.message);
    throw error;
  }
}
