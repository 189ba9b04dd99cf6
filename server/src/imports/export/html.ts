import { escapeHtml } from '../../lib/html.ts';
import type { Copied } from './lines.ts';
import type { MessagesPage } from './rows.ts';

const style = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem}
article{margin:0 0 1rem}article.reply{margin-inline-start:2rem}p{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}
time,dt,.meta{color:light-dark(#595959,#a8a8a8);font-size:.875rem}img{max-width:100%;max-height:20rem}li{padding-block:.25rem}
h1,h2,bdi,a{overflow-wrap:anywhere}dl{display:grid;grid-template-columns:fit-content(35%) 1fr;gap:.25rem 1rem;margin:0 0 1.5rem}dd{margin:0;overflow-wrap:anywhere}`;

/** Renders a page without scripts. Its links stay within the export. */
export const page = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src 'self' file:">
<title>${escapeHtml(title)}</title><style>${style}</style></head>
<body>
${body}
</body></html>
`;

export const isoOf = (time: number): string => new Date(time).toISOString();
const shownTime = (time: number): string => {
  const iso = isoOf(time);
  return `<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
};

/** Renders a page, with links to other pages above and below its content. */
export function pageWithLinks(title: string, links: readonly string[], content: string): string {
  const line = links.join(' · ');
  return page(
    title,
    `<nav aria-label="Pages">${line}</nav>
<main>
<h1 dir="auto">${escapeHtml(title)}</h1>
${content}
</main>
<nav aria-label="Pages, after the content">${line}</nav>`,
  );
}

/** Returns the path of a channel's page. Pages are numbered from 1. */
export const pathOfPage = (channelId: string, number: number): string => `html/${channelId}-${number}.html`;

interface PlacePage {
  id: string;
  title: string;
  number: number;
  hasNext: boolean;
}

/** Renders a page of messages. `names` maps user ids to names. */
export function htmlOfMessages(
  { id, title, number, hasNext }: PlacePage,
  rows: MessagesPage,
  names: ReadonlyMap<string, string>,
  copied: ReadonlyMap<string, Copied>,
): string {
  const links = [
    '<a href="../index.html">All channels</a>',
    ...(number > 1 ? [`<a href="${id}-${number - 1}.html" rel="prev">Earlier</a>`] : []),
    ...(hasNext ? [`<a href="${id}-${number + 1}.html" rel="next">Later</a>`] : []),
  ];
  const articles = rows.messages.map((message) => {
    const author = message.type === 'system' ? '' : (names.get(message.creatorId) ?? '');
    const reactions = message.reactions.map(({ emoji, count }) => `${escapeHtml(emoji)} ${count}`).join(' ');
    const files = (rows.files.get(message.id) ?? []).map((file) => {
      const sha256 = copied.get(file.id)?.sha256;
      const name = escapeHtml(file.name);
      if (!sha256) return `<p class="meta">${name} (missing)</p>`;
      const picture = file.type.startsWith('image/')
        ? `<img src="../files/${sha256}" alt="" loading="lazy"><br>`
        : '';
      return `<p><a href="../files/${sha256}" download="${name}">${picture}${name}</a></p>`;
    });
    return `<article id="${message.id}"${message.isThreadReply ? ' class="reply"' : ''}>
<b dir="auto">${escapeHtml(author)}</b> ${shownTime(message.createdAt)}${message.editedAt === null ? '' : ' <span class="meta">(edited)</span>'}${rows.pins.has(message.id) ? ' 📌' : ''}
<p dir="auto">${escapeHtml(message.content)}</p>${files.join('')}${reactions === '' ? '' : `<p class="meta">${reactions}</p>`}
</article>`;
  });
  return pageWithLinks(title, links, articles.join('\n'));
}

/** A channel in the index. */
export interface IndexRow {
  id: string;
  title: string;
  pages: number;
  messages: number;
}

/** Renders channels as list items, with links to their pages. */
export const itemsOf = (channels: readonly IndexRow[]): string =>
  channels
    .map(({ id, title, pages, messages }) => {
      const name = `<span dir="auto">${escapeHtml(title)}</span>`;
      const link = pages === 0 ? name : `<a href="${pathOfPage(id, 1)}">${name}</a>`;
      return `<li>${link} <span class="meta">${messages}</span></li>`;
    })
    .join('\n');

/** Renders the index: the channels, with links to their pages. */
export const htmlOfIndex = (channels: readonly IndexRow[]): string =>
  page('Export', `<main>\n<h1>Export</h1>\n<ul>\n${itemsOf(channels)}\n</ul>\n</main>`);
