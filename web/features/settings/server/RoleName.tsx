import type { Records } from '../../../api/records.ts';

/** A role: a dot of its colour, and its name. The colour is any text; as a background it could be the address of a picture. */
export const RoleName = ({ role }: { role: Pick<Records['Role'], 'name' | 'color'> }) => (
  <span className="setting-role-name">
    <span className="setting-role-dot" style={{ backgroundColor: role.color ?? undefined }} />
    <bdi className="setting-role-name-text">{role.name}</bdi>
  </span>
);
