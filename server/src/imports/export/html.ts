import { escapeHtml } from '../../lib/html.ts';
import type { Copied } from './lines.ts';
import type { MessagesPage } from './rows.ts';

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
article{margin:0 0 1rem}article.reply{margin-inline-start:2rem}p{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}
time,.meta{color:GrayText;font-size:.875rem}img{max-width:100%;max-height:20rem}`;

/** A page without scripts, whose links stay within the export. */
const page = (title: string, body: string): string => `<!doctype html>
<html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src 'self' file:">
<title>${escapeHtml(title)}</title><style>${style}</style></head>
<body>
${body}
</body></html>
`;

const isoOf = (time: number): string => new Date(time).toISOString();
const shownTime = (time: number): string => {
  const iso = isoOf(time);
  return `<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
};

/** The name of a page of a channel; pages are numbered from 1. */
export const pathOfPage = (channelId: string, number: number): string => `html/${channelId}-${number}.html`;

/** A page of messages. `names` has the names of users by id. */
export function htmlOfMessages(
  { id, title, number, hasNext }: { id: string; title: string; number: number; hasNext: boolean },
  rows: MessagesPage,
  names: ReadonlyMap<string, string>,
  copied: ReadonlyMap<string, Copied>,
): string {
  const links = [
    '<a href="../index.html">All channels</a>',
    ...(number > 1 ? [`<a href="${id}-${number - 1}.html" rel="prev">Earlier</a>`] : []),
    ...(hasNext ? [`<a href="${id}-${number + 1}.html" rel="next">Later</a>`] : []),
  ].join(' · ');
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
  const heading = `<h1 dir="auto">${escapeHtml(title)}</h1>`;
  return page(title, `<nav>${links}</nav>\n${heading}\n${articles.join('\n')}\n<nav>${links}</nav>`);
}

/** The first page: the channels, with links to their pages. */
export function htmlOfIndex(
  channels: readonly { id: string; title: string; pages: number; messages: number }[],
): string {
  const items = channels.map(({ id, title, pages, messages }) => {
    const name = `<span dir="auto">${escapeHtml(title)}</span>`;
    const link = pages === 0 ? name : `<a href="${pathOfPage(id, 1)}">${name}</a>`;
    return `<li>${link} <span class="meta">${messages}</span></li>`;
  });
  return page('Export', `<h1>Export</h1>\n<ul>\n${items.join('\n')}\n</ul>`);
}
