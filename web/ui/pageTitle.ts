import { useEffect } from 'react';
import { base } from '../api/base.ts';
import { app } from '../strings/en/common.ts';
import { upTo999 } from '../strings/format.ts';

let page = '';
let news = 0;

/** Sets the browser tab's title: unread notifications, page name, product name. */
function show(): void {
  document.title = [news > 0 && `(${upTo999(news)}) `, page && `${page} · `, app.name]
    .filter(Boolean)
    .join('');
}

/** Sets the page's name in the browser tab's title. Undefined leaves the title to another component. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (title === undefined) return;
    page = title;
    show();
  }, [title]);
}

/** Shows the unread count in the browser tab's title and on the installed app's icon. */
export function useUnreadInTab(count: number): void {
  useEffect(() => {
    news = count;
    show();
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (icon) icon.href = `${base}/favicon${count > 0 ? '-news' : ''}.svg`;
    if (count > 0) navigator.setAppBadge?.(count).catch(() => undefined);
    else navigator.clearAppBadge?.().catch(() => undefined);
  }, [count]);
}
