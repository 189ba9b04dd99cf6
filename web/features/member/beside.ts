import { useEffect, useState } from 'react';
import { api, type Records } from '../../api/index.ts';
import { useRow, useRows, useSession } from '../../replica/hooks.ts';
import type { Session } from '../../replica/index.ts';
import { membersIn } from './useMember.ts';

/** So many are asked for in one request. */
const MOST = 100;
const WAIT_MS = 30;

/** What names a member: the id of the user, or the username. */
type By = 'userIds' | 'usernames';

/** Those who were asked for, by server and what names them: once in a session, unless the server was out of reach or events were missed. */
const askedBy = new WeakMap<Session, Map<string, Promise<void>>>();
const waiting = new Map<string, { names: Set<string>; answer: Promise<void> }>();

/** Asks for a member: all who are missing at one moment in one request. Resolves once it is answered. */
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

/** Resolves when the connection comes back. */
const whenBack = (session: Session): Promise<void> =>
  new Promise((resolve) => {
    const end = session.subscribe('connection', () => {
      if (session.connection().status !== 'live') return;
      end();
      resolve();
    });
  });

/** The name by which somebody is known in a server: their nickname there, or their own; undefined if neither is here. */
export const nameIn = ({ replica }: Session, serverId: string, userId: string): string | undefined =>
  replica.rows('serverMember', 'serverId+userId', `${serverId}+${userId}`)[0]?.nickname ??
  replica.row('user', userId)?.name;

interface Beside {
  user: Records['User'] | undefined;
  /** As `nameIn`; of somebody who is on their way, three dots; of one who is not there any more, `gone`. */
  name: string;
}

/** Somebody in a server, who is asked for if they are not here. */
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
  return { user, name: member?.nickname ?? user?.name ?? (isGone ? gone : '…') };
}

/** The names of several; `somebody` for those who are not here. They are asked for. */
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
