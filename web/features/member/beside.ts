import { useEffect, useState } from 'react';
import { api, type Records } from '../../api/index.ts';
import { useRow, useRows, useSession } from '../../replica/hooks.ts';
import type { Session } from '../../replica/index.ts';
import { membersIn } from './useMember.ts';

/** Maximum members per request. */
const MOST = 100;
const WAIT_MS = 30;

/** The query parameter by which members are requested. */
type By = 'userIds' | 'usernames';

/**
 * Members already requested in this session. A member is requested again only if events were missed, or
 * after a failed request, once the connection is back.
 */
const askedBy = new WeakMap<Session, Map<string, Promise<void>>>();
const waiting = new Map<string, { names: Set<string>; answer: Promise<void> }>();

/**
 * Requests a member, batched with others that are requested at about the same time. Resolves after the
 * response.
 */
export function askForMember(session: Session, serverId: string, by: By, name: string): Promise<void> {
  const key = [serverId, session.replica.epoch(serverId), by, name].join(' ');
  const asked = askedBy.get(session) ?? new Map<string, Promise<void>>();
  askedBy.set(session, asked);
  const known = asked.get(key);
  if (known) return known;
  const place = `${serverId} ${by}`;
  const queue = waiting.get(place) ?? { names: new Set(), answer: inAWhile(session, serverId, by) };
  waiting.set(place, queue);
  queue.names.add(name);
  const answer = queue.answer.catch(() => {
    asked.delete(key);
    return whenBack(session).then(() => askForMember(session, serverId, by, name));
  });
  asked.set(key, answer);
  return answer;
}

async function inAWhile(session: Session, serverId: string, by: By): Promise<void> {
  await new Promise((done) => setTimeout(done, WAIT_MS));
  const place = `${serverId} ${by}`;
  const names = [...(waiting.get(place)?.names ?? [])];
  waiting.delete(place);
  for (let from = 0; from < names.length; from += MOST) {
    const some = { [by]: names.slice(from, from + MOST).join(','), limit: MOST };
    await session.actions.load(() => api(serverId).serverMembers({ serverId, ...some }), membersIn);
  }
}

/** Resolves once the connection is back. */
const whenBack = (session: Session): Promise<void> =>
  new Promise((resolve) => {
    const end = session.subscribe('connection', () => {
      if (session.connection().status !== 'live') return;
      end();
      resolve();
    });
  });

/**
 * A member's display name in a server: their nickname, or else their name. Undefined if neither is loaded.
 */
export const nameIn = ({ replica }: Session, serverId: string, userId: string): string | undefined =>
  replica.rows('serverMember', 'serverId+userId', `${serverId}+${userId}`)[0]?.nickname ??
  replica.row('user', userId)?.name;

interface Beside {
  user: Records['User'] | undefined;
  member: Records['ListedServerMember'] | undefined;
  /** Like `nameIn`, but an ellipsis while loading, and `gone` if the member does not exist. */
  name: string;
}

/** A user in a server, who is requested if not loaded. */
export function useBeside(serverId: string, userId: string | undefined, gone: string): Beside {
  const session = useSession();
  const user = useRow('user', userId);
  const [member] = useRows('serverMember', 'serverId+userId', `${serverId}+${userId}`);
  const [isAnswered, setAnswered] = useState(false);
  const isMissing = member === undefined && userId !== undefined;
  useEffect(() => {
    if (!isMissing) return;
    void askForMember(session, serverId, 'userIds', userId).then(() => {
      if (session.replica.row('user', userId) === undefined) setAnswered(true);
    });
  }, [isMissing, session, serverId, userId]);
  const isGone = userId === undefined || isAnswered;
  return { user, member, name: member?.nickname ?? user?.name ?? (isGone ? gone : '…') };
}

/**
 * The names of several users. Users who are not loaded are requested, and appear as `somebody` in the
 * meantime.
 */
export function useNamesIn(serverId: string, userIds: readonly string[], somebody: string): string[] {
  const session = useSession();
  const [, draw] = useState(0);
  const missing = userIds.filter((id) => nameIn(session, serverId, id) === undefined).join(' ');
  useEffect(() => {
    if (missing === '') return;
    const asking = missing.split(' ').map((id) => askForMember(session, serverId, 'userIds', id));
    void Promise.all(asking).then(() => draw((count) => count + 1));
  }, [missing, session, serverId]);
  return userIds.map((id) => nameIn(session, serverId, id) ?? somebody);
}
