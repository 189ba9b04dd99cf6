import { sql } from 'kysely';
import { conditions, requireCondition } from '../../access/conditions.ts';
import type { Principal } from '../../access/principal.ts';
import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { prepare, q } from '../../db/statements.ts';
import { Recent } from '../../lib/recent.ts';
import { WordRules } from '../../lib/text/wordRules.ts';

type Rule = Pick<RowOf<'wordRule'>, 'pattern' | 'action'>;

interface Cached {
  version: string;
  rules: WordRules<Rule>;
}

/**
 * Maximum servers whose compiled rules a node caches. A server's rules take up at most about half a
 * megabyte.
 */
const MAX_SERVERS = 200;

const cached = new Recent<string, Cached>(MAX_SERVERS);

const versionOfRules = prepare(
  (p: { serverId: string }) =>
    q
      .selectFrom('wordRule')
      .select((eb) => [
        eb.fn.countAll<number>().as('amount'),
        // The sum is selected as text, because it may exceed JavaScript's safe integers.
        sql<string | null>`cast(${eb.fn.sum('version')} as text)`.as('sum'),
      ])
      .where('serverId', '=', p.serverId),
  {},
  { cachedBy: 'serverId' },
);

const rulesOf = prepare((p: { serverId: string }) =>
  q.selectFrom('wordRule').select(['pattern', 'action']).where('serverId', '=', p.serverId).orderBy('id'),
);

/**
 * Returns the version of a server's word rules. It changes whenever the rules change. Undefined if there are
 * none. Start this read concurrently with the other reads of a write.
 */
export async function wordRulesVersion(db: Reader, serverId: string | null): Promise<string | undefined> {
  if (serverId === null) return undefined;
  const found = await db.first(versionOfRules({ serverId }));
  return found && Number(found.amount) > 0 ? `${found.amount} ${found.sum}` : undefined;
}

/** Returns a server's compiled rules. Reads them only if this version is not cached. */
async function compiled(db: Reader, serverId: string, version: string): Promise<WordRules<Rule>> {
  const known = cached.get(serverId);
  if (known?.version === version) return known.rules;
  const rules = new WordRules(await db.all(rulesOf({ serverId })));
  cached.set(serverId, { version, rules });
  return rules;
}

/**
 * Whether a rule of a server matches a text that cannot be held for approval, such as the title of a web
 * page.
 */
export async function matchesWordRules(db: Reader, serverId: string, text: string): Promise<boolean> {
  const version = await wordRulesVersion(db, serverId);
  return version !== undefined && (await compiled(db, serverId, version)).in(text).length > 0;
}

/**
 * Whether the principal is exempt from word rules. Moderators are exempt, because they decide on held
 * messages.
 */
const isExempt = ({ flags, isServerCreator }: Principal): boolean =>
  isServerCreator || flags.has('canModerate');

/**
 * Returns the pattern that holds a text for a moderator's approval, if any. Throws FORBIDDEN if the rules
 * reject the text, or if it would be held but cannot be (`mayWait`).
 */
export async function heldBy(
  { db, principal }: { db: Reader; principal: Principal },
  { version, text }: { version: string | undefined; text: string },
  operation: 'message insert' | 'message update' | 'thread insert' | 'thread update',
  mayWait = false,
): Promise<string | undefined> {
  const { serverId } = principal;
  if (version === undefined || serverId === null || isExempt(principal)) return undefined;
  const found = (await compiled(db, serverId, version)).in(text);
  const isRefused = found.some(({ action }) => action === 'refuse');
  const held = found[0]?.pattern;
  const facts = { isRefused, isHeld: held !== undefined && !mayWait, operation };
  requireCondition(principal, conditions.wordRules, facts);
  return held;
}
