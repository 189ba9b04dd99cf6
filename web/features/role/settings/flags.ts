import type { Records } from '../../../api/records.ts';

/** The role that a server's creator got with the server, which is never deleted: the oldest but the default one. */
export function creatorRoleOf(roles: readonly Records['Role'][]): Records['Role'] | undefined {
  const [first] = roles
    .filter(({ isDefault }) => !isDefault)
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  return first;
}
