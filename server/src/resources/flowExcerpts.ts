import type { Principal } from '../access/principal.ts';
import { visibility } from '../access/visibility.ts';
import { whereChannelVisible } from '../access/whereVisible.ts';
import type { Reader } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { q } from '../db/statements.ts';

const MAX_CHARACTERS = 300;

/**
 * Returns excerpts for flow notifications by flow id. An excerpt contains the flow's name and the reason why
 * it was turned off, or else the error of its last failed run. As with runs, errors are shown only to members
 * who may edit flows and can currently see the event's channel.
 */
export async function flowExcerpts(
  db: Reader,
  principal: Principal,
  notifications: readonly Pick<RowOf<'notification'>, 'type' | 'messageId'>[],
): Promise<Map<string, { excerpt: string }>> {
  const { serverId } = principal;
  const ids = new Set(notifications.flatMap(({ type, messageId }) => (type === 'flow' ? [messageId] : [])));
  if (ids.size === 0 || !visibility.data.holds(principal, { serverId })) return new Map();
  const mayRead = visibility.apps.holds(principal, { serverId });
  const rows = await db.all(
    q
      .selectFrom('flow')
      .innerJoin('flowState as state', 'state.id', 'flow.id')
      .leftJoin('flowRun as run', 'run.id', 'state.failedRunId')
      .leftJoin('channel', 'channel.id', 'run.channelId')
      .select(['flow.id', 'flow.name', 'flow.disabledReason', 'run.error'])
      .select((eb) =>
        eb
          .case()
          .when(eb.or([eb('run.channelId', 'is', null), whereChannelVisible(principal)]))
          .then(1)
          .else(0)
          .end()
          .as('isSeen'),
      )
      .where('flow.id', 'in', [...ids])
      .where('flow.serverId', '=', serverId),
  );
  return new Map(
    rows.map(({ id, name, disabledReason, error, isSeen }) => {
      const reason = disabledReason ?? (mayRead && isSeen ? error : null);
      const text = reason === null ? name : `${name}: ${reason}`;
      return [id, { excerpt: text.slice(0, MAX_CHARACTERS).toWellFormed() }];
    }),
  );
}
