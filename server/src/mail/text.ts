import { escapeHtml } from '../lib/html.ts';
import { plain } from '../lib/plain.ts';

/** The content of an email. */
export interface Words {
  /** The language tag (BCP 47). Defaults to English. */
  language?: string;
  /** The subject: one line, without any user input. */
  subject: string;
  /** Paragraphs of one line each. */
  paragraphs: readonly string[];
  /** A link, on its own line after the first paragraph. */
  link?: string;
  /**
   * The URL for unsubscribing, and the label of the link at the end, for emails that people can unsubscribe
   * from.
   */
  unsubscribe?: { url: string; label: string };
}

/** A rendered mail. It is queued in encrypted form. */
export interface Letter {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The URL for one-click unsubscription (RFC 8058), if there is one. */
  unsubscribe?: string;
}

/**
 * Renders an email as plain text and HTML. Text is escaped, the only links are those given, and nothing is
 * loaded from elsewhere.
 */
export function letterOf(
  to: string,
  { language = 'en', subject, paragraphs, link, unsubscribe }: Words,
): Letter {
  const lines = paragraphs.map(plain);
  const withLink = link === undefined ? [...lines] : lines.toSpliced(1, 0, link);
  const body = withLink.map((line) => {
    const escaped = escapeHtml(line);
    return line === link ? `<p><a href="${escaped}">${escaped}</a></p>` : `<p>${escaped}</p>`;
  });
  if (unsubscribe) {
    const { url, label } = unsubscribe;
    withLink.push(`${plain(label)}: ${url}`);
    body.push(`<p><a href="${escapeHtml(url)}">${escapeHtml(plain(label))}</a></p>`);
  }
  return {
    to,
    ...(unsubscribe && { unsubscribe: unsubscribe.url }),
    subject: plain(subject),
    text: `${withLink.join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="${language}"><meta charset="utf-8"><title>${escapeHtml(plain(subject))}</title>\n<body>\n${body.join('\n')}\n</body></html>\n`,
  };
}
