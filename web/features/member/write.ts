import { api, PalaverError } from '../../api/index.ts';
import type { Session } from '../../replica/index.ts';
import { navigate } from '../../routes.ts';

/** The direct message between exactly these members and the user, if it is cached. */
const cached = ({ replica }: Session, serverId: string, userIds: ReadonlySet<string>): string | undefined =>
  replica.rows('channel', 'direct', serverId).find(({ memberIds }) => {
    const others = memberIds?.filter((id) => id !== replica.userId) ?? [];
    return others.length === userIds.size && others.every((id) => userIds.has(id));
  })?.id;

/** Starts a direct message. Returns the id of the existing one if there is one. Throws PalaverError. */
async function start(session: Session, serverId: string, userIds: readonly string[]): Promise<string> {
  const { actions } = session;
  try {
    const { id } = await actions.load(
      () => api(serverId).conversationInsert({ serverId, userIds: [...userIds] }),
      (channel) => ({ channel: [channel] }),
    );
    return id;
  } catch (error) {
    const known =
      error instanceof PalaverError && error.code === 'ALREADY_EXISTS' ? error.details : undefined;
    const [{ id } = { id: undefined }] = (known ?? []) as { id?: string }[];
    if (id === undefined) throw error;
    await actions.meet(serverId, id);
    return id;
  }
}

/**
 * The id of the direct message with these members of a server, which is started if there is none. Throws PalaverError if
 * the server rejects it, for example because somebody accepts no messages.
 */
export const directWith = async (
  session: Session,
  serverId: string,
  userIds: readonly string[],
): Promise<string> =>
  cached(session, serverId, new Set(userIds)) ?? (await start(session, serverId, userIds));

/** Opens the direct message with these members of a server, like `directWith`. */
export async function openDirect(
  session: Session,
  serverId: string,
  userIds: readonly string[],
): Promise<void> {
  const channelId = await directWith(session, serverId, userIds);
  navigate({ page: 'server', serverId, channelId });
}
