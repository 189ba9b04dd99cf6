import type { Permission } from '../../may/index.ts';
import { permissions, refusals } from '../../strings/en/refusals.ts';
import { serverSettings as t } from '../../strings/en/serverSettings.ts';
import { refusalOf } from '../../ui/index.ts';
import { Note } from './Note.tsx';

/** The rule that keeps a server in somebody's hands. */
const LAST_ADMIN = 'the last way for someone to administer the server cannot be removed';

/** The rule by which something is closed, in plain words: for a menu, too. */
export function ruleInWords({ rule, need, message }: Omit<Permission, 'allowed'>): string {
  const [only, ...others] = need.map((flag) => permissions[flag].name);
  if (only !== undefined)
    return others.length === 0
      ? t.needs({ name: only })
      : t.needsOneOf({ names: [only, ...others].map((name) => refusals.quoted({ name })) });
  if (rule === LAST_ADMIN) return t.lastAdmin;
  return message === '' ? t.closed : refusalOf({ message });
}

/** Says that something is closed to the person, and by which rule; nothing where it is open. */
export function Closed({ permission, what }: { permission: Permission; what?: string }) {
  if (permission.allowed) return null;
  return (
    <Note icon="lock">
      {what && <b>{what} </b>}
      {ruleInWords(permission)}
    </Note>
  );
}
