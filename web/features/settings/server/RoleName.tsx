import type { Records } from '../../../api/records.ts';

/**
 * A role's name after a dot in its colour. The colour is arbitrary text, so it must never be set as
 * `background`, which accepts a URL.
 */
export const RoleName = ({ role }: { role: Pick<Records['Role'], 'name' | 'color'> }) => (
  <span className="setting-role-name">
    <span className="setting-role-dot" style={{ backgroundColor: role.color ?? undefined }} />
    <bdi className="setting-role-name-text">{role.name}</bdi>
  </span>
);
