import { seesChannel } from '../../access/visibility.ts';
import { notFound } from '../../errors.ts';
import { eventIdOf } from '../../feed/eventId.ts';
import { latestPosition } from '../../feed/positions.ts';
import { isId } from '../../lib/deps.ts';
import { flagNames } from '../../lib/flags.ts';
import { read } from '../../operations/read.ts';
import { channelsAt } from '../reading/state.ts';
import { toServer } from '../server/serverRecord.ts';
import { toMember } from '../serverMember/memberRecord.ts';
import { toUser } from '../user.ts';
import { readParts } from './parts.ts';
import { snapshot } from './snapshotRecord.ts';
import { standingIn } from './standing.ts';
import { viewOperations } from './views.ts';

export const snapshotOperations = [
  read({
    operation: 'serverSnapshot',
    people: true,
    path: '/servers/:id/snapshot',
    tag: 'snapshot',
    kind: 'view',
    summary: 'Get everything a client needs to show a server',
    description:
      "Includes the cursor of the server's log to continue from. Its size does not grow with members or messages: load those as pages and views. Any session of a member can read it, whichever server it is acting in.",
    visible: 'member',
    answer: snapshot,
    async target({ db, principal: { userId, serverId: actsIn } }, { params: { id } }) {
      if (!isId(id)) throw notFound('server');
      // Read this first: everything read later reflects the log at least up to this position.
      const place = await latestPosition(db, id);
      // Start this together with the membership only for known members: the duration of a refusal must not
      // reveal channels.
      const begun = actsIn === id ? db.all(channelsAt({ serverId: id })) : undefined;
      begun?.catch(() => {});
      const found = await standingIn(db, id, userId);
      return { ...found, place, begun, serverId: found.member ? id : null, open: found.member !== undefined };
    },
    async run({ db, now, services: { limits } }, { params: { id: serverId } }, target) {
      const { place, begun, server, user, member, roles, principal } = await target;
      const all = await (begun ?? db.all(channelsAt({ serverId })));
      const channels = all
        .filter((channel) => seesChannel(principal, channel))
        .sort((one, other) => one.position - other.position || (one.id < other.id ? -1 : 1));
      const { isSignedIn: _isSignedIn, flags, ...standing } = principal;
      const viewer = { ...principal, serverId };
      const of = { db, now, serverId, userId: user.id, viewer, seq: place.seq, channels, roles };
      return {
        cursor: eventIdOf(serverId, place),
        server: toServer(server),
        user: toUser(user),
        member: toMember(member as object),
        standing: { ...standing, flags: flagNames.filter((name) => flags.has(name)) },
        limits,
        ...(await readParts(of)),
      };
    },
  }),

  ...viewOperations,
];
