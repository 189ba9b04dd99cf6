import type { Records } from '../../../api/records.ts';

/** A role: a dot of its colour, and its name. */
export const RoleName = ({ role }: { role: Pick<Records['Role'], 'name' | 'color'> }) => (
  <span className="setting-role-name">
    <span className="setting-role-dot" style={{ background: role.color ?? undefined }} />
    <bdi className="setting-role-name-text">{role.name}</bdi>
  </span>
);
