import { blockText } from '../../../server/src/lib/text/blockText.ts';
import type { Session } from '../../replica/index.ts';
import { common } from '../../strings/en/common.ts';
import { lineText, shownName } from '../markdown/index.ts';
import { nameIn } from './beside.ts';

interface Said {
  content: string;
  blocks?: Parameters<typeof blockText>[0];
  attachments?: readonly { name: string }[] | undefined;
}

/**
 * Formats a message as one line, with display names of members as in the message itself. A message without
 * content is labelled by the text of its blocks, or by its files.
 */
export function lineIn(
  session: Session,
  serverId: string,
  { content, blocks, attachments = [] }: Said,
): string {
  const inBlocks = content === '' ? blockText(blocks) : '';
  if (inBlocks !== '') return inBlocks;
  if (content === '' && attachments.length > 0)
    return common.files({ count: attachments.length, names: attachments.map(({ name }) => name) });
  const nameOf = (username: string): string | undefined => {
    const [user] = session.replica.rows('user', 'username', username);
    return user && nameIn(session, serverId, user.id);
  };
  return lineText(content, (name) => shownName(name, nameOf));
}
