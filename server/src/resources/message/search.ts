import { hasFlags } from '../../db/examined.ts';
import { invalid } from '../../errors.ts';
import { latestPosition } from '../../feed/positions.ts';
import { firstIdAt, isId } from '../../lib/deps.ts';
import { Type } from '../../lib/schema.ts';
import { flag, optional, reference, text, time } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { serverTarget } from '../common.ts';
import { conversationsIn } from '../conversation/own.ts';
import { ServerStates } from '../serverState/serverState.ts';
import { examinerOf, flagFields } from './flagged.ts';
import { messageType, shownMessage } from './messageRecord.ts';
import { examinedInServer } from './serverPage.ts';

/** Maximum direct messages that a search of a server covers: the caller's most recently active ones. */
const MAX_SEARCHED = 2_000;

export const serverMessages = read({
  operation: 'serverMessages',
  path: '/servers/:serverId/messages',
  tag: 'message',
  summary: "Search a server's messages",
  description:
    'Searches all channels and direct messages that the key can see, and returns the newest matches first. A page can have fewer records than the limit and still have a next page.',
  visible: 'member',
  query: Type.Object({
    q: optional(
      text({
        min: 1,
        max: 200,
        description:
          'Search terms: words, beginnings of words, or quoted phrases. Required without `hasFile`, `hasLink`, `pinned` or `mentionsMe`',
        examples: ['"release plan" mon'],
      }),
    ),
    creatorId: optional(reference()),
    type: optional(messageType),
    isThreadReply: optional(
      flag('Only replies in threads (true), or only other messages (false); both by default'),
    ),
    ...flagFields,
    after: optional(time('Only messages created after this time')),
    before: optional(time('Only messages created before this time')),
  }),
  answer: shownMessage,
  list: 'many',
  target(call, input) {
    if (input.query.q === undefined && !hasFlags(input.query))
      throw invalid('missing', 'q', 'is required without hasFile, hasLink, pinned or mentionsMe');
    return serverTarget(call, input);
  },
  async run({ db, principal, services }, { params, query, after: position }) {
    const { limit, creatorId, type, isThreadReply, after, before } = query;
    const { serverId } = params;
    const place = await latestPosition(db, serverId);
    const state = await ServerStates.of(services.db).at(db, serverId, place);
    const [rows, direct] = await Promise.all([
      state.rows(db),
      conversationsIn(db, { ...principal, serverId }, MAX_SEARCHED),
    ]);
    const swept = await state.swept(db);
    const sight = rows.sightOf(principal);
    const channelIds =
      direct.length === 0 ? sight.channelIds : [...sight.channelIds, ...direct.map(({ id }) => id)];
    if (channelIds.length === 0 || (creatorId !== undefined && !isId(creatorId)))
      return { records: [], next: null };
    const isWanted = await examinerOf(db, principal.userId, query);
    if (query.q === undefined)
      return examinedInServer(db, channelIds, query, {
        isWanted: isWanted ?? (() => true),
        from: position?.[0] as string | undefined,
        now: services.deps.now(),
      });
    const { json, next } = await db.searchServer({
      isWanted,
      serverId,
      channelIds,
      isEveryChannel: sight.channels.length === rows.channels.length,
      memberId: direct.length > 0 ? principal.userId : null,
      text: query.q,
      limit,
      from: position?.[0] as string | undefined,
      creatorId: creatorId ?? null,
      type: type ?? null,
      isThreadReply: isThreadReply ?? null,
      firstId: after === undefined ? null : firstIdAt(after + 1),
      beyondId: before === undefined ? null : firstIdAt(before),
      isSweeping:
        direct.some(({ isBeingSwept }) => isBeingSwept) ||
        (swept.size > 0 && channelIds.some((id) => swept.has(id))),
    });
    return { json, next: next === undefined ? null : [next] };
  },
});
