import { useSyncExternalStore } from 'react';
import { base, pathInSite } from './api/base.ts';

/** The side panels of a channel. */
export const panels = ['pins', 'members', 'search', 'threads', 'inbox'] as const;
export type Panel = (typeof panels)[number];

/** A location in the client. Each has a path, so users can bookmark and share it. */
export type Route =
  | { page: 'home' }
  | {
      page: 'server';
      serverId: string;
      channelId?: string;
      /** The message in a permalink. */
      messageId?: string;
      /** The thread that is open next to the channel. */
      threadId?: string;
      /** The reply in a permalink to a thread. */
      replyId?: string;
      panel?: Panel;
      /** The search terms. */
      words?: string;
    }
  /** The direct messages of all servers. */
  | { page: 'direct' }
  | { page: 'serverSettings'; serverId: string; section?: string }
  | { page: 'me'; section?: string }
  /** Saved and scheduled messages of all servers. */
  | { page: 'later'; section?: string }
  | { page: 'platform'; section?: string }
  | { page: 'signIn'; provider?: string }
  | { page: 'signUp' }
  | { page: 'invite'; inviteId: string }
  | { page: 'welcome' | 'device' | 'authorize' | 'reset' }
  | { page: 'missing' };

const segmentsOf = (path: string): string[] => {
  try {
    return path.split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    return ['?'];
  }
};

/** Parses a URL of this server into a route. */
export function routeOf(url: string | URL): Route {
  const { pathname, searchParams } = new URL(url, 'http://here');
  const path = pathInSite(pathname);
  if (path === undefined) return { page: 'missing' };
  const [first, second, third, fourth, fifth, sixth] = segmentsOf(path);
  if (first === undefined) return { page: 'home' };
  if (sixth !== undefined && first !== 's') return { page: 'missing' };
  if (first === 's' && second !== undefined) {
    if (third === 'settings') return { page: 'serverSettings', serverId: second, section: fourth };
    if (third !== undefined && (third !== 'c' || fourth === undefined)) return { page: 'missing' };
    const panel = panels.find((name) => name === searchParams.get('panel'));
    return {
      page: 'server',
      serverId: second,
      channelId: fourth,
      messageId: fifth === 'm' ? sixth : undefined,
      threadId: searchParams.get('thread') ?? undefined,
      replyId: searchParams.get('reply') ?? undefined,
      panel,
      words: searchParams.get('q') ?? undefined,
    };
  }
  if (third !== undefined) return { page: 'missing' };
  if (first === 'me' || first === 'platform' || first === 'later') return { page: first, section: second };
  if (first === 'sign-in') return { page: 'signIn', provider: second };
  if (first === 'invite' && second !== undefined) return { page: 'invite', inviteId: second };
  if (second !== undefined) return { page: 'missing' };
  if (first === 'sign-up') return { page: 'signUp' };
  if (
    first === 'direct' ||
    first === 'welcome' ||
    first === 'device' ||
    first === 'authorize' ||
    first === 'reset'
  )
    return { page: first };
  return { page: 'missing' };
}

/** The path of a route, including the base path of the server. */
export function pathOf(route: Route): string {
  const path = (...segments: (string | undefined)[]) =>
    `${base}/${segments
      .filter((one) => one !== undefined)
      .map(encodeURIComponent)
      .join('/')}`;
  switch (route.page) {
    case 'home':
    case 'missing':
      return `${base}/`;
    case 'server': {
      const { serverId, channelId, messageId, threadId, replyId, panel, words } = route;
      const query = new URLSearchParams();
      if (threadId !== undefined) query.set('thread', threadId);
      if (threadId !== undefined && replyId !== undefined) query.set('reply', replyId);
      if (panel !== undefined) query.set('panel', panel);
      if (words) query.set('q', words);
      const message = messageId === undefined ? [] : ['m', messageId];
      const channel = channelId === undefined ? [] : ['c', channelId, ...message];
      return path('s', serverId, ...channel) + (query.size > 0 ? `?${query}` : '');
    }
    case 'serverSettings':
      return path('s', route.serverId, 'settings', route.section);
    case 'me':
    case 'later':
    case 'platform':
      return path(route.page, route.section);
    case 'signIn':
      return path('sign-in', route.provider);
    case 'signUp':
      return path('sign-up');
    case 'invite':
      return path('invite', route.inviteId);
    default:
      return path(route.page);
  }
}

/** Dispatched on every navigation, even to the current location: `popstate` only covers back and forward. */
export const MOVED = 'palaver-moved';
const moved = () => dispatchEvent(new Event(MOVED));

/** Navigates: pushes a history entry, or replaces the current one. */
export function navigate(to: Route | string, { replace = false }: { replace?: boolean } = {}): void {
  const path = typeof to === 'string' ? to : pathOf(to);
  const isHere = path === location.pathname + location.search;
  if (replace) history.replaceState(history.state, '', path);
  else if (!isHere) history.pushState(null, '', path);
  moved();
}

function subscribe(listener: () => void): () => void {
  addEventListener('popstate', listener);
  addEventListener(MOVED, listener);
  return () => {
    removeEventListener('popstate', listener);
    removeEventListener(MOVED, listener);
  };
}

let known: { href: string; route: Route } | undefined;

/** The current route: the same object until it changes. */
export function currentRoute(): Route {
  const { href } = location;
  if (known?.href !== href) known = { href, route: routeOf(href) };
  return known.route;
}

/** The current route; re-renders on navigation. */
export const useRoute = (): Route => useSyncExternalStore(subscribe, currentRoute);
