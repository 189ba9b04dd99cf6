import { find } from '../../db/statements.ts';
import { type Flag, flagNames, flagsOf } from '../../lib/flags.ts';
import type { Work } from '../../operations/work.ts';
import { addRole } from '../../resources/role.ts';
import { CommandError } from '../commandError.ts';

/** Parses `canAdmin,canViewData`. Throws CommandError for an unknown flag. */
export function flagsFrom(text: string): Flag[] {
  const names = text.split(',').map((name) => name.trim());
  const flags = [...new Set(names.filter(Boolean))];
  const unknown = flags.find((flag) => !flagNames.includes(flag as Flag));
  if (unknown) throw new CommandError(`unknown flag ${unknown}: use ${flagNames.join(', ')}`);
  return flags as Flag[];
}

/** Returns the role with exactly these flags. Creates it if there is none. */
export async function roleWith(work: Work, serverId: string, flags: Flag[]) {
  const roles = await work.db.all(find('role', { serverId }));
  const same = roles.find((role) => {
    const has = flagsOf(role);
    return has.length === flags.length && flags.every((flag) => has.includes(flag));
  });
  if (same) return same;
  const name = flags.join(', ').slice(0, 100) || 'No flags';
  return addRole(work, { serverId, name, flags });
}
