import { api } from '../../api/index.ts';

/** So many admins are looked at: where there are more, there are others. */
const MOST = 100;

/** The id of the platform admin who is the last one, for an admin to ask; null where there are others. */
export async function lastAdminId(): Promise<string | null> {
  const admins = await api('none').platformUsers({ platformAdmin: true, limit: MOST });
  const [one, ...others] = admins.filter(
    ({ type, suspendedAt }) => type === 'person' && suspendedAt === null,
  );
  return one && others.length === 0 && admins.nextCursor === null ? one.id : null;
}
