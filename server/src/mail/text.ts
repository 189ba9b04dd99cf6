import { escapeHtml } from '../lib/html.ts';
import { plain } from '../lib/plain.ts';

/** A mail as people read it. */
export interface Words {
  /** The tag of its language (BCP 47); English if left out. */
  language?: string;
  /** One line, without anything that people have chosen. */
  subject: string;
  /** Paragraphs of one line each. */
  paragraphs: readonly string[];
  /** The address of a page, in a line of its own after the first paragraph. */
  link?: string;
}

/** A mail that waits, as it is kept encrypted. */
export interface Letter {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** A mail in plain text and in HTML: text escaped, one link, nothing that is loaded from anywhere. */
export function letterOf(to: string, { language = 'en', subject, paragraphs, link }: Words): Letter {
  const lines = paragraphs.map(plain);
  const withLink = link === undefined ? lines : lines.toSpliced(1, 0, link);
  const body = withLink.map((line) => {
    const escaped = escapeHtml(line);
    return line === link ? `<p><a href="${escaped}">${escaped}</a></p>` : `<p>${escaped}</p>`;
  });
  return {
    to,
    subject: plain(subject),
    text: `${withLink.join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="${language}"><meta charset="utf-8"><title>${escapeHtml(plain(subject))}</title>\n<body>\n${body.join('\n')}\n</body></html>\n`,
  };
}
