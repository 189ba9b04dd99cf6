import type { Caller } from '../../access/authenticator.ts';
import { deferredKey } from '../../access/credentials/deferred.ts';
import type { Tx } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { q } from '../../db/statements.ts';
import { ApiError } from '../../errors.ts';
import type { Services } from '../../operations/services.ts';

/** Thrown if the maker of a flow lost a permission that the flow needs, or left the server. */
export class MakerLacks extends Error {}

type Flow = Pick<RowOf<'flow'>, 'serverId' | 'makerId'>;

/** Returns the callers that represent a flow's maker: a person, or the keys of an agent. */
export async function makersOf(services: Services, { serverId, makerId }: Flow): Promise<Caller[]> {
  const { authenticator, db } = services;
  if (makerId === null) return [];
  const keys = await db.read.all(
    q
      .selectFrom('secret')
      .select('digest')
      .where('userId', '=', makerId)
      .where('serverId', '=', serverId)
      .where('kind', '=', 'apiKey'),
  );
  const found = await Promise.all([
    orNone(authenticator.authenticateDigest('deferred', deferredKey({ userId: makerId, serverId }))),
    ...keys.map(({ digest }) => orNone(authenticator.authenticateDigest('apiKey', digest as string))),
  ]);
  return found.filter((caller) => caller !== undefined);
}

const orNone = (authenticating: Promise<Caller>): Promise<Caller | undefined> =>
  authenticating.catch((error) => {
    if (error instanceof ApiError) return undefined;
    throw error;
  });

/**
 * Throws MakerLacks unless the maker still has every flag of the flow's agent, as the transaction sees it.
 */
export async function requireMaker(
  tx: Tx,
  { authenticator }: Services,
  makers: readonly Caller[],
  { principal: agent }: Caller,
): Promise<void> {
  for (const maker of makers) {
    const current = await orNone(Promise.resolve(authenticator.within(tx, maker)));
    if (!current || current.principal.serverId !== agent.serverId) continue;
    const { flags, isServerCreator } = current.principal;
    if (isServerCreator || agent.ownFlags.every((flag) => flags.has(flag))) return;
  }
  throw new MakerLacks();
}
