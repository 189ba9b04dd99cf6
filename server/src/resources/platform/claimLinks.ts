import { addLink } from '../../accounts/link.ts';
import { q } from '../../db/statements.ts';
import { invalid } from '../../errors.ts';
import { isId } from '../../lib/deps.ts';
import { Type } from '../../lib/schema.ts';
import { requireProven } from '../../operations/call.ts';
import { sampleId } from '../../operations/examples.ts';
import { body, reference } from '../../operations/fields.ts';
import { write } from '../../operations/write.ts';
import { recordAct } from '../recordAct.ts';
import { claimLinks } from './platformRecords.ts';

/** Maximum links per request. */
const MAX_LINKS = 100;

/** Returns the given users who can be claimed: people without an account who are not suspended. */
const claimable = (ids: readonly string[]) =>
  q
    .selectFrom('user')
    .leftJoin('person', 'person.id', 'user.id')
    .select(['user.id', 'user.username', 'user.name'])
    .where('user.id', 'in', ids)
    .where('user.type', '=', 'person')
    .where('user.suspendedAt', 'is', null)
    .where('person.id', 'is', null);

export const platformUserLinks = write({
  operation: 'platformUserLinks',
  people: true,
  method: 'POST',
  path: '/platform/users/links',
  resource: 'platform',
  verb: 'update',
  summary: 'Create links for people to claim their users',
  description: `Creates one-time links for up to ${MAX_LINKS} users without an account, such as those that an import added. Their earlier links stop working. Users who cannot be claimed are omitted. Requires a confirmed identity.`,
  body: body({
    ids: Type.Array(reference(), {
      minItems: 1,
      maxItems: MAX_LINKS,
      description: 'The ids of the users',
      examples: [[sampleId('user')]],
    }),
  }),
  answer: claimLinks,
  confidential: true,
  check({ body: { ids } }) {
    if (new Set(ids).size < ids.length) throw invalid('duplicate', 'ids', 'contains a user twice');
  },
  target: async ({ principal }) => ({ serverId: null, ownerId: principal.userId }),
  async run(call, { body }) {
    requireProven(call);
    const known = body.ids.filter(isId);
    const users = known.length === 0 ? [] : await call.db.all(claimable(known));
    const links: object[] = [];
    const byId = new Map(users.map((user) => [user.id, user]));
    for (const userId of known) {
      const user = byId.get(userId);
      if (!user) continue;
      const { token, expiresAt } = await addLink(call, { purpose: 'claim', userId, email: null });
      await recordAct(call, 'user link claim', { id: userId });
      const { username, name } = user;
      links.push({ userId, username, name, path: `/welcome#${token}`, expiresAt });
    }
    return { ...call.newRow(), links };
  },
});
