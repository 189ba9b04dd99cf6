import type { Permission } from '../../may/index.ts';
import { permissions, sentence } from '../../strings/en/common.ts';
import { serverSettings as t } from '../../strings/en/serverSettings.ts';
import { refusalOf } from '../../ui/index.ts';
import { Note } from './Note.tsx';

/** The rule of `conditions.administrable` in the server's access/conditions.ts. */
const LAST_ADMIN = 'a server must always have an admin';

/** The reason why a permission is missing, in plain words. Also used by menus. */
export function ruleInWords({ rule, need, message }: Omit<Permission, 'allowed'>): string {
  const [only, ...others] = need.map((flag) => permissions[flag]);
  if (only !== undefined)
    return others.length === 0
      ? t.needs({ name: only })
      : t.needsOneOf({ names: [only, ...others].map((name) => sentence.permission({ name })) });
  if (rule === LAST_ADMIN) return t.lastAdmin;
  return message === '' ? t.closed : refusalOf({ message });
}

/** A note about the rule that denies the user access. Renders nothing if access is allowed. */
export function Closed({ permission, what }: { permission: Permission; what?: string }) {
  if (permission.allowed) return null;
  return (
    <Note icon="lock">
      {what && <b>{what} </b>}
      {ruleInWords(permission)}
    </Note>
  );
}
