import { lastChannel, lastServer } from './features/frame/lastPlace.ts';
import { type Ahead, PAGE } from './replica/ahead.ts';
import { isNarrow } from './ui/narrow.ts';

// In the page itself, for somebody who has a session: it runs while the scripts are still on their way, and asks for what they need first.
// They take the answers by `replica/ahead.ts`, and ask themselves for what was not answered.

// All other scripts of a page have an address: whoever looks for a foreign one finds none.
document.currentScript?.remove();

async function ask<T>(serverId: string, path: string): Promise<T | undefined> {
  try {
    const answer = await fetch(`/api/people/${path}`, { headers: { 'palaver-server': serverId } });
    return answer.ok ? (await answer.json()).data : undefined;
  } catch {
    return undefined;
  }
}

/** The server, the channel and the message in the address; at the start, those of last time. */
function place(): (string | undefined)[] {
  if (location.pathname === '/') {
    const serverId = lastServer();
    return [serverId, serverId === undefined || isNarrow() ? undefined : lastChannel(serverId)];
  }
  return /^\/s\/([\w-]+)(?:\/c\/([\w-]+)(?:\/m\/([\w-]+))?)?$/.exec(location.pathname)?.slice(1) ?? [];
}

const me: NonNullable<typeof palaverAhead>['me'] = ask('none', 'me');
const asked: Ahead = {};
const [serverId, channelId, around] = place();
if (serverId !== undefined) {
  asked.server = { id: serverId, snapshot: ask('none', `servers/${serverId}/snapshot`) };
  if (channelId !== undefined) {
    // As `replica/windows.ts` asks for the first window.
    const query = new URLSearchParams({
      isThreadReply: 'false',
      limit: String(PAGE),
      ...(around && { around }),
    });
    asked.channel = { id: channelId, around, view: ask(serverId, `channels/${channelId}/view?${query}`) };
  }
}
globalThis.palaverAhead = { me, ...asked };
// The browser fetches from another process what it has kept, and scripts that read it first wait: they need not any more.
for (const kind of ['localStorage', 'sessionStorage'] as const)
  try {
    void globalThis[kind].length;
  } catch {
    // A browser that keeps nothing.
  }
// Chromium takes 30 ms to find out which languages it has, once in a process. Nothing else could run meanwhile.
setTimeout(() => Intl.DateTimeFormat());
