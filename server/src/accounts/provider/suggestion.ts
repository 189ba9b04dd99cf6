import type { Reader } from '../../db/contract.ts';
import { q } from '../../db/statements.ts';
import { cleanName } from '../../lib/names.ts';
import { MAX_NAME_CHARACTERS } from '../../operations/fields.ts';
import { isReserved, isUsername, MAX_USERNAME_CHARACTERS } from '../../resources/user.ts';
import type { Claimed } from '../openid/provider.ts';

const TRIES = 20;

/** Finds an available username that resembles the one at the provider. */
export async function suggestedUsername(db: Reader, { username = '' }: Claimed): Promise<string> {
  const plainly = username
    .normalize('NFKD')
    .toLowerCase()
    .split('@', 1)
    .join('')
    .replace(/\s+/g, '.')
    .replace(/[^a-z0-9_.-]/g, '')
    .slice(0, MAX_USERNAME_CHARACTERS - 2);
  const stem = isUsername(plainly) && !plainly.startsWith('deleted-') ? plainly : 'person';
  const candidates = [stem, ...Array.from({ length: TRIES }, (_, index) => `${stem}${index + 2}`)].filter(
    (one) => !isReserved(one, { byPerson: true }),
  );
  const rows = await db.all(q.selectFrom('user').select('username').where('username', 'in', candidates));
  const taken = new Set(rows.map(({ username }) => username));
  return candidates.find((one) => !taken.has(one)) ?? stem;
}

/** Returns the display name that the provider suggests. */
export const suggestedName = ({ name = '' }: Claimed, username: string): string =>
  cleanName(name, MAX_NAME_CHARACTERS) || username;
