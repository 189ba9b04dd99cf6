import type { Principal } from '../../access/principal.ts';
import type { Reader } from '../../db/contract.ts';
import { heldBy, wordRulesVersion } from '../wordRule/rules.ts';

/** Returns the words of a text, in lowercase. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

/**
 * Whether a thread's name consists of words from its root message, in the same order, like the names that
 * clients suggest. The last word may be truncated.
 */
export function isNamedBy(name: string, content: string): boolean {
  const words = wordsOf(name);
  const last = words.length - 1;
  let next = 0;
  for (const word of wordsOf(content)) {
    const wanted = words[next];
    if (wanted === undefined) break;
    if (word === wanted || (next === last && word.startsWith(wanted))) next++;
  }
  return words.length > 0 && next === words.length;
}

/**
 * Throws FORBIDDEN for a thread name that the server's word rules refuse or hold, because names cannot be
 * held.
 */
export async function requireThreadName(
  call: { db: Reader; principal: Principal },
  channel: { memberIds: readonly string[] | null },
  name: string | null | undefined,
  operation: 'thread insert' | 'thread update',
): Promise<void> {
  if (!name || channel.memberIds) return;
  const version = await wordRulesVersion(call.db, call.principal.serverId);
  await heldBy(call, { version, text: name }, operation);
}
