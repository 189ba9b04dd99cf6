import { unauthenticated } from '../access/authenticator.ts';
import { newAccessToken, newSessionToken } from '../access/credentials/session.ts';
import { digestOf } from '../access/credentials/token.ts';
import type { RowOf } from '../db/schema.ts';
import { find, insert, q, remove } from '../db/statements.ts';
import { SESSION_MS } from '../db/tables/session.ts';
import { act } from '../operations/act.ts';
import { sessionOf } from '../operations/call.ts';
import { flag, oneOf, record, time } from '../operations/fields.ts';
import { read } from '../operations/read.ts';
import type { Work } from '../operations/work.ts';
import { write } from '../operations/write.ts';
import { load, ownTarget, recordOf } from '../resources/common.ts';
import { listById } from '../resources/lists.ts';
import { device as deviceField, deviceOf } from './fields.ts';
import { forgetGuesses } from './guesses.ts';
import { clientOf, recordHistory } from './history/record.ts';

/** Maximum sessions per person. A new session beyond the limit revokes the least recently used one. */
const MAX_SESSIONS = 100;

const fields = {
  device: deviceField,
  form: oneOf(['cookie', 'bearer'], 'A browser with a cookie, or an app with a token'),
  lastUsedAt: time('When it was last used; updated at most once a minute'),
  expiresAt: time(
    'When the session expires. It is extended at most once a day while the session is used, up to 180 days after the sign-in',
  ),
};

const session = record('Session', fields);
const toRecord = recordOf(session);
const toSession = (row: RowOf<'session'>) => toRecord({ ...row, form: row.bearer ? 'bearer' : 'cookie' });
const listedSession = record('ListedSession', {
  ...fields,
  isCurrent: flag('Whether this request uses the session', true),
});

export const sessionOperations = [
  read({
    operation: 'sessions',
    people: true,
    path: '/sessions',
    tag: 'session',
    summary: 'List your sessions',
    description: 'Returns the newest sessions first.',
    visible: 'self',
    answer: listedSession,
    list: 'many',
    target: ownTarget,
    async run(call, input) {
      const { db, principal, now } = call;
      const sessionId = sessionOf(call)?.id;
      const rows = q
        .selectFrom('session')
        .selectAll()
        .where('userId', '=', principal.userId)
        .where('expiresAt', '>', now);
      const toListed = (row: RowOf<'session'>) => ({ ...toSession(row), isCurrent: row.id === sessionId });
      return listById(db, rows, input, toListed, 'desc');
    },
  }),

  act({
    operation: 'sessionsDeleteOthers',
    people: true,
    path: '/sessions',
    resource: 'session',
    verb: 'delete',
    summary: 'Revoke all other sessions',
    description:
      'Signs you out of all other browsers and apps, and revokes approved apps that have not signed in yet. Returns this session.',
    answer: session,
    async run(call) {
      const { userId } = call.principal;
      const id = sessionOf(call)?.id as string;
      const data = await call.writeOnAccount(userId, async (work) => {
        const { db } = work;
        await db.run(q.deleteFrom('session').where('userId', '=', userId).where('id', '!=', id));
        await db.run(remove('approval', { userId }));
        await recordHistory(work, { userId, type: 'sessionsRevoked', ...clientOf(work.from) });
        return toSession(await load(db, 'session', id));
      });
      return { data };
    },
  }),

  write({
    operation: 'sessionDelete',
    people: true,
    path: '/sessions/:id',
    resource: 'session',
    verb: 'delete',
    summary: 'Revoke a session',
    description: 'The browser or app is signed out on its next request.',
    answer: session,
    async target({ db }, { params }) {
      const found = await load(db, 'session', params.id);
      return { serverId: null, ownerId: found.userId, found };
    },
    async run(call, _input, { found }) {
      const { db } = call;
      const { userId, device } = found;
      await db.run(remove('session', { id: found.id }));
      await recordHistory(call, { userId, type: 'sessionRevoked', device });
      // An attacker with this session may have approved an app that has not fetched its own session yet.
      await db.run(remove('approval', { userId: found.userId }));
      return toSession(found);
    },
  }),
];

interface NewSession {
  userId: string;
  /** The `User-Agent` header, or the name of an app and its device; null if there is none. */
  device: string | null;
  /**
   * Whether this is an app's session. Apps send the token themselves instead of in a cookie. A new app
   * session does not count as a proof of identity.
   */
  bearer?: boolean;
  /**
   * When the person last proved their identity, in milliseconds since the Unix epoch. Defaults to now for a
   * browser, and to never for an app.
   */
  provenAt?: number;
}

/**
 * Signs a person in. Only the token's digest is stored: the returned `token` is the only copy. Throws
 * UNAUTHORIZED if they are suspended.
 */
export async function addSession(
  { db, newRow, randomBytes }: Work,
  { userId, device, bearer = false, provenAt }: NewSession,
) {
  const user = await db.first(find('user', { id: userId }));
  if (user && user.suspendedAt !== null)
    throw unauthenticated('UNAUTHORIZED', "this account is suspended. Contact the server's operator");
  const token = (bearer ? newAccessToken : newSessionToken)(randomBytes);
  const made = newRow();
  const at = made.createdAt;
  const row: RowOf<'session'> = {
    ...made,
    userId,
    digest: digestOf(token),
    expiresAt: at + SESSION_MS,
    provenAt: provenAt ?? (bearer ? 0 : at),
    lastUsedAt: at,
    bearer,
    device: deviceOf(device),
  };
  await forgetGuesses({ db }, userId);
  const others = await db.all(find('session', { userId }));
  const beyond = others.toSorted((one, other) => other.lastUsedAt - one.lastUsedAt).slice(MAX_SESSIONS - 1);
  for (const { id } of beyond) await db.run(remove('session', { id }));
  await db.run(insert('session', row));
  return { token, session: toSession(row) };
}
