import type { Session } from '../../replica/index.ts';
import { lineText } from '../markdown/index.ts';
import { nameIn } from './beside.ts';

/** A message of a server on one line, in which members appear under their names, as in the message itself. */
export function lineIn(session: Session, serverId: string, content: string): string {
  const nameOf = (username: string): string | undefined => {
    const [user] = session.replica.rows('user', 'username', username.toLowerCase());
    return user && nameIn(session, serverId, user.id);
  };
  return lineText(content, ({ mark, name, tail }) => {
    const longer = mark === '@' && tail !== '' ? nameOf(name + tail) : undefined;
    if (longer !== undefined) return `@${longer}`;
    return `${mark}${(mark === '@' && nameOf(name)) || name}${tail}`;
  });
}
