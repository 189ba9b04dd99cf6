import type { Reader } from '../../db/contract.ts';
import { q } from '../../db/statements.ts';
import { invalid } from '../../errors.ts';
import { skeletonOf } from '../../lib/confusables.ts';

/** Names that the product uses for itself. */
const PRODUCT = 'palaver';
const OWN = [PRODUCT, 'system'];
/** A name is compared with at most this many sessions (the newest ones) and grants. */
const MAX_COMPARED = 200;

/**
 * Whether an app's name could be mistaken for the product's: it looks like one of `OWN`, or contains a
 * lookalike of `PRODUCT`. An app's name may mention the product, as in "Palaver for Linux".
 */
export function isLikeOwnName(client: string): boolean {
  const skeleton = skeletonOf(client);
  if (OWN.some((name) => skeleton === skeletonOf(name))) return true;
  return skeleton.includes(skeletonOf(PRODUCT)) && !client.toLowerCase().includes(PRODUCT);
}

/**
 * Throws INVALID_REQUEST at `field` if an app's name resembles, but does not equal, the name of another app
 * in which the person is signed in.
 */
export async function requireDistinct(db: Reader, userId: string, client: string, field: string) {
  const sessions = await db.all(
    q
      .selectFrom('session')
      .select('device')
      .where('userId', '=', userId)
      .where('bearer', '=', true)
      .orderBy('id', 'desc')
      .limit(MAX_COMPARED),
  );
  const named = sessions.flatMap(({ device }) => beginningsOf(device ?? ''));
  if (named.includes(client)) return;
  const skeleton = skeletonOf(client);
  const like = named.find((name) => skeletonOf(name) === skeleton);
  if (like !== undefined)
    throw invalid('reserved', field, `looks like "${like}", an app that you approved earlier`);
}

/**
 * Throws INVALID_REQUEST at `field` if an app's name resembles, but does not equal, the name of another app
 * with a grant from the person. Equal names are allowed, because the hosts of the apps' metadata documents
 * distinguish them.
 */
export async function requireDistinctGrant(
  db: Reader,
  userId: string,
  { client, name }: { client: string; name: string },
  field: string,
) {
  const grants = await db.all(
    q.selectFrom('grant').select(['client', 'name']).where('userId', '=', userId).limit(MAX_COMPARED),
  );
  const others = grants.filter((each) => each.client !== client && each.name !== name);
  const skeleton = skeletonOf(name);
  const like = others.find((each) => skeletonOf(each.name) === skeleton);
  if (like) throw invalid('reserved', field, `looks like "${like.name}", an app that you approved earlier`);
}

/**
 * Returns the possible names of a session's app. The stored text is the name, a comma and the device, and the
 * name itself may contain commas.
 */
function beginningsOf(device: string): string[] {
  const parts = device.split(', ');
  return parts.map((_, index) => parts.slice(0, index + 1).join(', '));
}
