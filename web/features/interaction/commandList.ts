import { api } from '../../api/index.ts';
import type { Session } from '../../replica/index.ts';
import type { Rows } from '../../replica/types.ts';

/**
 * Pending and completed loads of a session, by server and epoch. Events keep the loaded rows up to date.
 */
const loads = new WeakMap<Session, Map<string, Promise<void>>>();

async function loadAll({ actions }: Session, serverId: string): Promise<void> {
  let cursor: string | undefined;
  do {
    const page = await actions.load(
      () => api(serverId).commandByServer({ serverId, limit: 100, ...(cursor !== undefined && { cursor }) }),
      (command) => ({ command: [...command] }),
    );
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** The commands of a server, sorted by name. Rejects with PalaverError if they cannot be loaded. */
export async function commandsOf(session: Session, serverId: string): Promise<readonly Rows['command'][]> {
  const { replica } = session;
  const key = `${serverId} ${replica.epoch(serverId)}`;
  const all = loads.get(session) ?? new Map<string, Promise<void>>();
  loads.set(session, all);
  const loading =
    all.get(key) ??
    loadAll(session, serverId).catch((error: unknown) => {
      all.delete(key);
      throw error;
    });
  all.set(key, loading);
  await loading;
  return replica
    .rows('command', 'serverId', serverId)
    .toSorted((one, other) => one.name.localeCompare(other.name));
}
