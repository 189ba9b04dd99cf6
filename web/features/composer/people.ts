import { api, onSignedOut } from '../../api/index.ts';
import type { Actions, Session } from '../../replica/index.ts';
import { fold } from '../../ui/fold.ts';

/** A user who can be mentioned. */
export interface Mentionable {
  id: string;
  username: string;
  name: string;
  image: string | null;
  isAgent: boolean;
}

/** The number of users requested per prefix. */
const ASKED = 10;
/** How long a response stays fresh, in ms. */
const FRESH_MS = 60_000;

/** Scores how well a user matches the typed text; 0 if they do not match. */
function fit({ username, name }: Mentionable, typed: string): number {
  if (typed === '') return 1;
  const shown = fold(name);
  if (username === typed) return 5;
  if (username.startsWith(typed)) return 4;
  if (shown.startsWith(typed)) return 3;
  return shown.split(/[\s_.-]+/).some((word) => word.startsWith(typed)) ? 2 : 0;
}

/**
 * Cached users who match, best first. Among equal matches, users who are typing here come first, then recent
 * authors.
 */
export function peopleFor(session: Session, serverId: string, placeId: string, typed: string): Mentionable[] {
  const { replica, lines, live } = session;
  const nicknames = new Map<string, string>();
  const ids = new Set<string>(live.typing(placeId).map(({ userId }) => userId));
  for (const id of [...(lines.get(placeId)?.ids ?? [])].reverse()) {
    const author = replica.row('message', id)?.creatorId;
    if (author !== undefined) ids.add(author);
  }
  for (const { userId, nickname } of replica.rows('serverMember', 'serverId', serverId)) {
    ids.add(userId);
    if (nickname !== null) nicknames.set(userId, nickname);
  }
  const wanted = fold(typed);
  return [...ids]
    .map((id) => replica.row('user', id))
    .filter((user) => user !== undefined)
    .map(({ id, username, name, image, type }) => ({
      ...{ id, username, image, name: nicknames.get(id) ?? name },
      isAgent: type === 'agent',
    }))
    .map((person, order) => {
      // Users rarely mention themselves.
      const score = fit(person, wanted) - (person.id === replica.userId ? 0.5 : 0);
      return { person, order, score };
    })
    .filter(({ score }) => score > 0.4)
    .sort((one, other) => other.score - one.score || one.order - other.order)
    .map(({ person }) => person);
}

/** When each prefix was requested, by server. `isWhole` means that the response contained all matches. */
const asked = new Map<string, { at: number; isWhole: boolean }>();
onSignedOut(() => asked.clear());

/**
 * True if no request is needed, because this prefix, or a shorter one whose response was complete, was
 * requested recently.
 */
export function isKnown(serverId: string, typed: string): boolean {
  const now = Date.now();
  for (let length = 0; length <= typed.length; length++) {
    const answer = asked.get(`${serverId} ${fold(typed.slice(0, length))}`);
    if (answer && now - answer.at < FRESH_MS && (answer.isWhole || length === typed.length)) return true;
  }
  return false;
}

/** Loads up to `ASKED` members whose names start with the text. */
export async function askFor(load: Actions['load'], serverId: string, typed: string): Promise<void> {
  const q = typed === '' ? {} : { q: typed };
  const key = `${serverId} ${fold(typed)}`;
  asked.set(key, { at: Date.now(), isWhole: false });
  const page = await load(
    () => api(serverId).serverMembers({ serverId, limit: ASKED, ...q }),
    (members) => ({
      serverMember: [...members],
      user: members.map(({ user }) => user),
    }),
  );
  asked.set(key, { at: Date.now(), isWhole: page.nextCursor === null });
}
