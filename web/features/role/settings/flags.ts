import type { Records } from '../../../api/records.ts';

/**
 * The owner role, which was created with the server and can't be deleted: the oldest role except the
 * default one.
 */
export function creatorRoleOf(roles: readonly Records['Role'][]): Records['Role'] | undefined {
  const [first] = roles
    .filter(({ isDefault }) => !isDefault)
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  return first;
}
