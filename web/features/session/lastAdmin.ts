import { api } from '../../api/index.ts';

/** The maximum number of admins loaded. If there are more, the user is not the only one. */
const MOST = 100;

/** The id of the only platform admin; null if there are several. */
export async function lastAdminId(): Promise<string | null> {
  const admins = await api('none').platformUsers({ platformAdmin: true, limit: MOST });
  const [one, ...others] = admins.filter(
    ({ type, suspendedAt }) => type === 'person' && suspendedAt === null,
  );
  return one && others.length === 0 && admins.nextCursor === null ? one.id : null;
}
