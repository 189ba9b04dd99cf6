import { isName } from '../../../server/src/lib/text/index.ts';
import type { Session } from '../../replica/index.ts';
import { pathOf } from '../../routes.ts';
import { composer as t } from '../../strings/en/conversation.ts';
import { fold } from '../../ui/fold.ts';
import { type Emoji, recentEmoji, toned, toneNow } from '../emoji/index.ts';
import { groupText, mentionableGroups } from '../member/index.ts';
import { type Mentionable, peopleFor } from './people.ts';

/** A possible completion. */
export type Candidate = {
  key: string;
  /** The text that replaces the typed word. */
  insert: string;
  name: string;
  /** A description next to the name. */
  about?: string;
} & (
  | { kind: 'person'; person: Mentionable }
  | { kind: 'group'; color: string | null }
  | { kind: 'channel'; isPrivate: boolean }
  | { kind: 'emoji'; emoji: string; url?: string }
  /** `option` is an option of the command, or a value of that option. */
  | { kind: 'command' | 'option' }
);

const MOST = 8;

const people = (session: Session, serverId: string, placeId: string, typed: string): Candidate[] =>
  peopleFor(session, serverId, placeId, typed)
    .slice(0, MOST)
    .map((person) => ({
      kind: 'person',
      key: person.id,
      insert: `@${person.username}`,
      name: person.name,
      about: `@${person.username}`,
      person,
    }));

/** The groups that the user may mention here: everyone, everyone online, and roles. */
function groupsFor({ replica }: Session, serverId: string, placeId: string, typed: string): Candidate[] {
  const channel = replica.row('channel', replica.row('thread', placeId)?.channelId ?? placeId);
  if (channel?.kind === 'dm') return [];
  const roles = replica.rows('role', 'serverId', serverId);
  return mentionableGroups(roles, replica.states.get(serverId)?.standing)
    .filter((group) => fold(groupText(group)).startsWith(`@${fold(typed)}`))
    .slice(0, MOST)
    .map((group) => ({
      kind: 'group',
      key: groupText(group),
      insert: groupText(group),
      name: groupText(group),
      about: t.groups[typeof group === 'string' ? group : 'role'],
      color: typeof group === 'string' ? null : group.color,
    }));
}

/**
 * People and groups. Until part of a name is typed, groups come last, and only after all people have loaded,
 * so the list does not shift.
 */
export function membersFor(
  session: Session,
  where: { serverId: string; placeId: string },
  typed: string,
  areKnown: boolean,
): Candidate[] {
  const { serverId, placeId } = where;
  const all = people(session, serverId, placeId, typed);
  const groups = typed === '' && !areKnown ? [] : groupsFor(session, serverId, placeId, typed);
  return typed === ''
    ? [...all.slice(0, Math.max(MOST / 2, MOST - groups.length)), ...groups].slice(0, MOST)
    : [...groups, ...all].slice(0, MOST);
}

/**
 * The mention of a channel: `#name`, or a link if the name has spaces or other characters that a mention
 * cannot contain.
 */
const mentionOf = (serverId: string, { id, name }: { id: string; name: string }): string =>
  isName('#', name)
    ? `#${name}`
    : `[#${name.replaceAll(/[\\[\]*_`|<>]/g, '\\$&')}](${location.origin}${pathOf({ page: 'server', serverId, channelId: id })})`;

/** The channels of a server whose names start with the text or contain it. */
export function channelsFor({ replica }: Session, serverId: string, typed: string): Candidate[] {
  const wanted = fold(typed);
  const score = (name: string) => {
    const text = fold(name);
    return text.startsWith(wanted) ? 2 : text.includes(wanted) ? 1 : 0;
  };
  return replica
    .rows('channel', 'serverId', serverId)
    .filter(({ name }) => score(name) > 0)
    .toSorted((one, other) => score(other.name) - score(one.name))
    .slice(0, MOST)
    .map(({ id, name, description, private: isPrivate }) => ({
      kind: 'channel',
      key: id,
      insert: mentionOf(serverId, { id, name }),
      name,
      ...(description && { about: description }),
      isPrivate,
    }));
}

/** The user's frequently used emoji come first, unless the typed text can only be a shortcode. */
export function emojiFor(found: readonly Emoji[], typed: string): Candidate[] {
  const often = new Set(recentEmoji(40, () => true));
  const isOften = ({ emoji, hasTones }: Emoji) => often.has(hasTones ? toned(emoji, toneNow()) : emoji);
  const rank = (one: Emoji) =>
    typed.includes('_') && one.code.startsWith(fold(typed)) ? 2 : Number(isOften(one));
  const ordered = found.toSorted((one, other) => rank(other) - rank(one));
  return ordered.slice(0, MOST).map(({ emoji, name, code, hasTones, url }) => {
    if (url) return { kind: 'emoji', key: emoji, insert: emoji, name, emoji, url };
    const text = hasTones ? toned(emoji, toneNow()) : emoji;
    return { kind: 'emoji', key: emoji, insert: text, name, about: `:${code}:`, emoji: text };
  });
}
