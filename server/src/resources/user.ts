import type { RowOf } from '../db/schema.ts';
import { insert, prepare, q } from '../db/statements.ts';
import { notFound } from '../errors.ts';
import { isId } from '../lib/deps.ts';
import { flag, name, nullable, oneOf, record, text, webUrl } from '../operations/fields.ts';
import { read } from '../operations/read.ts';
import type { Work } from '../operations/work.ts';
import { load, recordOf } from './common.ts';

const USERNAME = /^[a-z0-9_.-]{1,32}$/;

export const fields = {
  username: text({ max: 32, description: 'Unique: a–z 0–9 _ . -', examples: ['ada'] }),
  name: name('The name that others see', 'Ada Lovelace'),
  image: nullable(webUrl()),
  type: oneOf(['person', 'agent'], 'An agent is a bot'),
  platformAdmin: flag(),
};

export const user = record('User', fields);
export const toUser = recordOf(user);

const shareServer = prepare((p: { userId: string; serverId: string }) =>
  q.selectFrom('serverMember').select('id').where('userId', '=', p.userId).where('serverId', '=', p.serverId),
);

export const userOperations = [
  read({
    operation: 'userById',
    path: '/users/:userId',
    tag: 'user',
    summary: 'User profile',
    description: "Your own, or a member's of your key's server.",
    visible: 'member',
    answer: user,
    async target({ db, principal }, { params }) {
      const { serverId, userId } = principal;
      if (!isId(params.userId)) throw notFound('user');
      const [found, membership] = await Promise.all([
        load(db, 'user', params.userId),
        serverId === null ? undefined : db.first(shareServer({ userId: params.userId, serverId })),
      ]);
      // Users may read their own profile in any server.
      return { ...found, serverId: membership ? serverId : null, open: found.id === userId };
    },
    run: async (_call, _input, found) => toUser(await found),
  }),
];

/** The problem of a username; undefined if it is valid. */
export const usernameProblem = (username: string): string | undefined =>
  USERNAME.test(username) ? undefined : 'a username has 1 to 32 of the characters a–z 0–9 _ . -';

type NewUser = Pick<RowOf<'user'>, 'username' | 'name' | 'type' | 'platformAdmin'> &
  Partial<Pick<RowOf<'user'>, 'homeServerId' | 'creatorId'>>;

/** Makes an account. Throws UniqueViolation if the username is taken. */
export async function addUser({ db, newRow }: Work, fields: NewUser): Promise<RowOf<'user'>> {
  const row = { ...newRow(), image: null, homeServerId: null, creatorId: null, ...fields };
  await db.run(insert('user', row));
  return row;
}
