import { useEffect } from 'react';
import { app } from '../strings/en/common.ts';
import { upTo99 } from '../strings/format.ts';

let page = '';
let news = 0;

/** Fills the tab of the browser: the number of unread notifications, the page, the product. */
function show(): void {
  document.title = [news > 0 && `(${upTo99(news)}) `, page && `${page} · `, app.name]
    .filter(Boolean)
    .join('');
}

/** Names the page in the tab of the browser; undefined leaves that to another part of the page. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (title === undefined) return;
    page = title;
    show();
  }, [title]);
}

/** Shows in the tab of the browser, and on the icon of the installed app, how many things wait for the person. */
export function useUnreadInTab(count: number): void {
  useEffect(() => {
    news = count;
    show();
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (icon) icon.href = count > 0 ? '/favicon-news.svg' : '/favicon.svg';
    if (count > 0) navigator.setAppBadge?.(count).catch(() => undefined);
    else navigator.clearAppBadge?.().catch(() => undefined);
  }, [count]);
}
