import { navigate, routeOf } from '../../routes.ts';
import { palette as t } from '../../strings/en/menus.ts';
import { wholeDay } from '../../strings/format.ts';
import { goToDate } from '../date/index.tsx';
import { channelName, placeName } from '../direct/index.ts';
import { dayIn } from './days.ts';
import type { From } from './from.ts';
import type { Entry } from './rank.ts';

/** An entry that opens a typed URL or path of this installation; undefined for other text. */
function linkEntry({ session }: From, text: string): Entry | undefined {
  const { replica } = session;
  const isLink = /^(https?:\/)?\/\S+$/.test(text) && URL.canParse(text, location.origin);
  if (!isLink) return undefined;
  const url = new URL(text, location.origin);
  const route = routeOf(url);
  if (url.origin !== location.origin || route.page === 'missing') return undefined;
  const server = 'serverId' in route ? replica.row('server', route.serverId) : undefined;
  const at = route.page === 'server' ? route : undefined;
  const channel = at ? replica.row('channel', at.channelId ?? '') : undefined;
  const kind = (at?.replyId ?? at?.messageId) ? 'message' : at?.threadId ? 'thread' : 'place';
  const about = [
    channel && placeName(channel, channelName(session, channel)),
    server && t.inServer({ name: server.name }),
  ]
    .filter(Boolean)
    .join(' ');
  return {
    id: 'link',
    kind: 'link',
    name: t.link[kind],
    about: about || url.pathname,
    run: () => navigate(url.pathname + url.search),
  };
}

/** Jumps to a day in the open channel. */
function dayEntry({ session, route }: From, text: string): Entry | undefined {
  const channel = route.page === 'server' ? session.replica.row('channel', route.channelId ?? '') : undefined;
  const at = channel && dayIn(text);
  if (!channel || at === undefined) return undefined;
  const run = () => goToDate(channel, at);
  return {
    id: 'day',
    kind: 'date',
    name: t.toDay({ day: wholeDay(at) }),
    about: placeName(channel, channelName(session, channel)),
    run,
  };
}

/** An entry for the typed text itself, such as a pasted link or a date, in addition to the matches. */
export function typedEntry(from: From, typed: string): Entry | undefined {
  const text = typed.trim();
  return linkEntry(from, text) ?? dayEntry(from, text.replace(/^>\s*/, ''));
}
