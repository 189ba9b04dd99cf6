import { requireVisible } from '../../access/visibility.ts';
import { type Db, type Reader, Unavailable } from '../../db/contract.ts';
import { notFound } from '../../errors.ts';
import { eventIdOf, type LogPosition } from '../../feed/eventId.ts';
import { latestPosition } from '../../feed/positions.ts';
import { isId } from '../../lib/deps.ts';
import { flagNames } from '../../lib/flags.ts';
import type { Call } from '../../operations/call.ts';
import { Joined } from '../../operations/joined.ts';
import { read } from '../../operations/read.ts';
import { listedConversationsIn } from '../conversation/own.ts';
import type { Counted } from '../reading/state.ts';
import { toServer } from '../server/serverRecord.ts';
import { toMember } from '../serverMember/memberRecord.ts';
import { newsBetween } from '../serverState/news.ts';
import { ServerStates } from '../serverState/serverState.ts';
import { toUser } from '../user.ts';
import { readParts, sharedOf } from './parts.ts';
import { snapshot } from './snapshotRecord.ts';
import { changesStanding, membershipIn, principalOf } from './standing.ts';
import { viewOperations } from './views.ts';

/** Maximum attempts to read a snapshot. One fails if the caller's permissions change in the meantime. */
const MAX_TRIES = 5;

export const snapshotOperations = [
  read({
    operation: 'serverSnapshot',
    people: true,
    path: '/servers/:id/snapshot',
    tag: 'snapshot',
    kind: 'view',
    summary: 'Get everything a client needs to show a server',
    description:
      "Includes the cursor from which to follow the server's log. The size of the response does not grow with the number of members or messages: load these in pages and windows. Any session of a member can read it, regardless of the server in which it acts.",
    visible: 'member',
    answer: snapshot,
    async target({ db, principal: { userId, serverId: actsIn }, services }, { params: { id } }) {
      if (!isId(id)) throw notFound('server');
      // The position is read first, so that everything that is read later reflects the log at least up to
      // this position.
      const place = await latestPosition(db, id);
      // The state and the membership are loaded together only for known members, because the time that an
      // error takes could reveal channels to others.
      if (actsIn === id) stateAt(services.db, db, id, place).catch(() => {});
      const found = await membershipIn(db, id, userId);
      return { ...found, place, serverId: found.member ? id : null, open: found.member !== undefined };
    },
    async run(call, { params: { id } }, target) {
      let { place, ...found } = await target;
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const taken = await snapshotAt(call, found, place);
        if (taken) return taken;
        place = await latestPosition(call.db, id);
        found = { ...found, ...(await membershipIn(call.db, id, found.user.id)) };
        if (!found.member) requireVisible(call.principal, 'member', { serverId: null });
      }
      throw new Unavailable('your permissions change too often');
    },
  }),

  ...viewOperations,
];

/** Returns the cached state of a server, with its channels and roles. */
async function stateAt(of: Db, db: Reader, serverId: string, place: LogPosition) {
  const state = await ServerStates.of(of).at(db, serverId, place);
  return { state, rows: await state.rows(db) };
}

/** Reads the snapshot of a member. Undefined if their permissions may have changed in the meantime. */
async function snapshotAt(
  { db, now, services: { db: of, limits } }: Call,
  found: Awaited<ReturnType<typeof membershipIn>>,
  place: LogPosition,
): Promise<Joined | undefined> {
  const { server, user, member } = found;
  const { id: serverId } = server;
  const [{ state, rows }, conversations] = await Promise.all([
    stateAt(of, db, serverId, place),
    listedConversationsIn(db, { userId: user.id, userType: user.type, isSignedIn: true, serverId }),
  ]);
  const viewer = principalOf(found, rows.roles);
  const sight = rows.sightOf(viewer);
  const { fields, rows: long } = await readParts({
    db,
    now,
    serverId,
    userId: user.id,
    viewer,
    place,
    state,
    sight,
    conversations,
  });
  const { countedTo } = fields.reading as unknown as Counted;
  if (countedTo > place.seq) {
    const news = await newsBetween(db, serverId, place, countedTo);
    if (!news || changesStanding(news, user.id)) return undefined;
  }
  const { isSignedIn: _isSignedIn, flags, ...standing } = viewer;
  return new Joined(
    { shared: sharedOf(sight), ...(long && { rows: long }) },
    {
      cursor: eventIdOf(serverId, place),
      server: toServer(server),
      user: toUser(user),
      member: toMember(member as object),
      standing: { ...standing, flags: flagNames.filter((name) => flags.has(name)) },
      limits,
      ...fields,
    },
  );
}
