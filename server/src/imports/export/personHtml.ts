import { escapeHtml } from '../../lib/html.ts';
import { type IndexRow, isoOf, itemsOf, page, pageWithLinks } from './html.ts';

/** A list of rows from one table in a person's export. */
export interface AccountPart {
  table: string;
  rows: number;
  pages: number;
}

export const pathOfAccount = (table: string, number: number): string =>
  `html/account-${table}-${number}.html`;

/** Converts names such as `emailDigest` to “Email digest”. */
const wordsOf = (table: string): string =>
  (table[0] ?? '').toUpperCase() + table.slice(1).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Matches the names of columns with times in ms. */
const ofTime = /(At|Until|^at|^until)$/;

const shownValue = (name: string, value: unknown): string => {
  if (typeof value === 'number' && value > 0 && value < 8.64e15 && ofTime.test(name)) return isoOf(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** Renders a page of rows about the account. */
export function htmlOfAccount(
  { table, number, hasNext }: { table: string; number: number; hasNext: boolean },
  rows: readonly Readonly<Record<string, unknown>>[],
): string {
  const at = (other: number) => `account-${table}-${other}.html`;
  const links = [
    '<a href="../index.html">Your data</a>',
    ...(number > 1 ? [`<a href="${at(number - 1)}" rel="prev">Earlier</a>`] : []),
    ...(hasNext ? [`<a href="${at(number + 1)}" rel="next">Later</a>`] : []),
  ];
  const lists = rows.map((row) => {
    const known = Object.entries(row).filter(([, value]) => value !== null && value !== undefined);
    const terms = known.map(
      ([name, value]) =>
        `<dt>${escapeHtml(wordsOf(name))}</dt><dd dir="auto">${escapeHtml(shownValue(name, value))}</dd>`,
    );
    return `<dl>${terms.join('')}</dl>`;
  });
  return pageWithLinks(wordsOf(table), links, lists.join('\n'));
}

/** A server with its channels, as listed in the index. */
export interface ServerPart {
  name: string | null;
  channels: readonly IndexRow[];
}

/**
 * Renders the index: the person, the data that is stored about their account, and the channels of each
 * server.
 */
export function htmlOfPerson(
  { name, username, date }: { name: string; username: string; date: number },
  account: readonly AccountPart[],
  servers: readonly ServerPart[],
): string {
  const parts = account.map(
    ({ table, rows }) =>
      `<li><a href="${pathOfAccount(table, 1)}">${escapeHtml(wordsOf(table))}</a> <span class="meta">${rows}</span></li>`,
  );
  const ofServers = servers.map(
    (server) =>
      `<h2 dir="auto">${escapeHtml(server.name ?? 'A server you are not in')}</h2>\n<ul>\n${itemsOf(server.channels)}\n</ul>`,
  );
  const title = `Data of ${name}`;
  return page(
    title,
    `<main>
<h1 dir="auto">${escapeHtml(title)}</h1>
<p class="meta">@${escapeHtml(username)} · ${isoOf(date).slice(0, 10)}</p>
${ofServers.join('\n')}
<h2>Account</h2>
<ul>
${parts.join('\n')}
</ul>
</main>`,
  );
}
