import type { IncomingHttpHeaders } from 'node:http';
import { invalid } from '../../errors.ts';
import { isAlertmanager, ofAlertmanager } from './alertmanager.ts';
import { isDiscord, ofDiscord } from './discord.ts';
import { isGithub, ofGithub } from './github.ts';
import { isGitlab, ofGitlab } from './gitlab.ts';
import { isGrafana, ofGrafana } from './grafana.ts';
import type { Loose } from './loose.ts';
import { isPlain, ofPlain } from './plain.ts';
import { isSlack, ofSlack } from './slack.ts';
import type { Suffix } from './suffixes.ts';

interface Format {
  /** The header that names the event of such a payload. */
  header?: string;
  /** The suffix of an address that says that its payloads are such. */
  suffix?: Suffix;
  /** True if a payload has this shape. */
  fits(payload: Loose): boolean;
  /** The content of a message; empty if there is nothing to show. Takes any payload. */
  contentOf(payload: Loose, event: string): string;
}

/** Gitea comes before GitHub, whose header it sends, too; and what has `text` or `title` among much else before others. */
const formats: readonly Format[] = [
  { header: 'x-gitea-event', fits: () => false, contentOf: ofGithub },
  { header: 'x-gitlab-event', fits: isGitlab, contentOf: ofGitlab },
  { header: 'x-github-event', suffix: 'github', fits: isGithub, contentOf: ofGithub },
  { fits: isGrafana, contentOf: ofGrafana },
  { fits: isAlertmanager, contentOf: ofAlertmanager },
  { suffix: 'discord', fits: isDiscord, contentOf: ofDiscord },
  { fits: isPlain, contentOf: ofPlain },
  { suffix: 'slack', fits: isSlack, contentOf: ofSlack },
];

/** The forms that are taken, told of a body that has nothing to show. */
const TAKEN =
  'the body has nothing to show. It may have text, blocks or attachments as Slack has them; content or embeds as Discord ' +
  'has them; message, msg or title; an event of GitHub, Gitea or GitLab with its header; alerts of Grafana or the ' +
  'Alertmanager. Or it is text, as text/plain';

/**
 * The content for a payload: of the format that a header names, or else the address, or else the shape. If that shows
 * nothing, the next one that fits may. Throws INVALID_REQUEST if none does.
 */
export function contentOf(payload: Loose, headers: IncomingHttpHeaders, suffix: Suffix | undefined): string {
  const isObject = typeof payload === 'object' && payload !== null && !Array.isArray(payload);
  const eventOf = ({ header }: Format) => (header ? headers[header] : undefined);
  const chosen = [
    ...formats.filter((format) => eventOf(format) !== undefined),
    ...formats.filter((format) => suffix !== undefined && format.suffix === suffix),
    ...formats.filter((format) => format.fits(payload)),
  ];
  for (const format of isObject ? new Set(chosen) : []) {
    const text = format.contentOf(payload, String(eventOf(format) ?? '')).trim();
    if (/[^\s\u200B]/.test(text)) return text;
  }
  throw invalid('nothing_to_show', '', TAKEN);
}
