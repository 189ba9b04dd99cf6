import { base, pathInSite } from './api/base.ts';
import { lastChannel, lastServer } from './features/frame/lastPlace.ts';
import { type Ahead, PAGE } from './replica/ahead.ts';
import { isNarrow } from './ui/narrow.ts';

// Inlined into the page for signed-in users: it runs while the scripts load, and requests the data they
// need first. The scripts take the responses from `replica/ahead.ts`, and repeat any requests that failed.

// This is the page's only inline script. It removes itself, so a search for injected inline scripts finds
// none.
document.currentScript?.remove();

async function ask<T>(serverId: string, path: string): Promise<T | undefined> {
  try {
    const answer = await fetch(`${base}/api/people/${path}`, { headers: { 'palaver-server': serverId } });
    return answer.ok ? (await answer.json()).data : undefined;
  } catch {
    return undefined;
  }
}

/** The server, the channel and the message in the URL; on the home page, the last server and channel. */
function place(): (string | undefined)[] {
  const path = pathInSite(location.pathname) ?? '';
  if (path === '/') {
    const serverId = lastServer();
    return [serverId, serverId === undefined || isNarrow() ? undefined : lastChannel(serverId)];
  }
  return /^\/s\/([\w-]+)(?:\/c\/([\w-]+)(?:\/m\/([\w-]+))?)?$/.exec(path)?.slice(1) ?? [];
}

const me: NonNullable<typeof palaverAhead>['me'] = ask('none', 'me');
const asked: Ahead = {};
const [serverId, channelId, around] = place();
if (serverId !== undefined) {
  asked.server = { id: serverId, snapshot: ask('none', `servers/${serverId}/snapshot`) };
  if (channelId !== undefined) {
    // The same query that `replica/windows.ts` uses for the first window.
    const query = new URLSearchParams({
      isThreadReply: 'false',
      limit: String(PAGE),
      ...(around && { around }),
    });
    asked.channel = { id: channelId, around, view: ask(serverId, `channels/${channelId}/view?${query}`) };
  }
}
globalThis.palaverAhead = { me, ...asked };
// Browsers load storage from another process, so the first read blocks. Reading it here makes later reads fast.
for (const kind of ['localStorage', 'sessionStorage'] as const)
  try {
    void globalThis[kind].length;
  } catch {
    // Storage is blocked.
  }
// Chromium takes 30 ms, once per process, to determine its locales. Do it now, while the main thread waits
// for the scripts.
setTimeout(() => Intl.DateTimeFormat());
