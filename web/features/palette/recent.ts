/** The number of recently opened channels to keep. */
const MOST = 20;

let visited: readonly string[] = [];

/** Records that a channel was opened. Lasts until the page closes. */
export function visit(channelId: string): void {
  visited = [channelId, ...visited.filter((id) => id !== channelId)].slice(0, MOST);
}

interface Facts {
  id: string;
  unread: number;
  mentions: number;
}

/**
 * Sorts channels by how likely the user is to open them: channels with mentions, unread channels, recently opened
 * channels, then the given order. The open channel comes last.
 */
export function byNeed<T extends Facts>(channels: readonly T[], openId: string | undefined): T[] {
  const recency = (id: string) => {
    const at = visited.indexOf(id);
    return at < 0 ? MOST : at;
  };
  const rank = ({ id, unread, mentions }: Facts) =>
    id === openId ? 3 : mentions > 0 ? 0 : unread > 0 ? 1 : 2;
  return [...channels].sort((one, other) => rank(one) - rank(other) || recency(one.id) - recency(other.id));
}
