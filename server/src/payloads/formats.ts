import type { IncomingHttpHeaders } from 'node:http';
import { invalid } from '../errors.ts';
import { isAlertmanager, ofAlertmanager } from './alertmanager.ts';
import { isAzureDevops, ofAzureDevops } from './azureDevops.ts';
import { isCircleci, ofCircleci } from './circleci.ts';
import { isCloudEvent, ofCloudEvent } from './cloudEvents.ts';
import { isDiscord, ofDiscord } from './discord.ts';
import { isDockerHub, ofDockerHub } from './dockerHub.ts';
import { isGithub, ofGithub } from './github.ts';
import { isGitlab, ofGitlab } from './gitlab.ts';
import { isGoogleChat, ofGoogleChat } from './googleChat.ts';
import { isGrafana, ofGrafana } from './grafana.ts';
import { isJenkins, ofJenkins } from './jenkins.ts';
import { isJira, ofJira } from './jira.ts';
import { beginConversion, type Loose } from './loose.ts';
import { isOpsgenie, ofOpsgenie } from './opsgenie.ts';
import { isPagerduty, ofPagerduty } from './pagerduty.ts';
import { isPlain, ofPlain } from './plain.ts';
import { isSentry, ofSentry } from './sentry.ts';
import { isSlack, ofSlack } from './slack.ts';
import { isSns, ofSns } from './sns.ts';
import { isStatuspage, ofStatuspage } from './statuspage.ts';
import type { Suffix } from './suffixes.ts';
import { isTeams, ofTeams } from './teams.ts';

interface Format {
  /** The header that contains the event's name. */
  header?: string;
  /** The URL suffix that selects this format. */
  suffix?: Suffix;
  /** Whether a payload has this format. */
  fits(payload: Loose): boolean;
  /** Converts any payload to the content of a message; empty if there is no content. */
  contentOf(payload: Loose, event: string): string;
}

/**
 * The formats, in order of precedence. Gitea comes before GitHub because it also sends GitHub's header.
 * Formats with many fields that include `text` or `title` come before formats with few other fields.
 */
const formats: readonly Format[] = [
  { header: 'x-gitea-event', fits: () => false, contentOf: ofGithub },
  { header: 'sentry-hook-resource', fits: isSentry, contentOf: ofSentry },
  { header: 'x-amz-sns-message-type', fits: isSns, contentOf: ofSns },
  { fits: isTeams, contentOf: ofTeams },
  { fits: isGoogleChat, contentOf: ofGoogleChat },
  { fits: isCloudEvent, contentOf: ofCloudEvent },
  { fits: isJira, contentOf: ofJira },
  { fits: isPagerduty, contentOf: ofPagerduty },
  { fits: isOpsgenie, contentOf: ofOpsgenie },
  { fits: isStatuspage, contentOf: ofStatuspage },
  { fits: isJenkins, contentOf: ofJenkins },
  { fits: isCircleci, contentOf: ofCircleci },
  { fits: isDockerHub, contentOf: ofDockerHub },
  { fits: isAzureDevops, contentOf: ofAzureDevops },
  { header: 'x-gitlab-event', fits: isGitlab, contentOf: ofGitlab },
  { header: 'x-github-event', suffix: 'github', fits: isGithub, contentOf: ofGithub },
  { fits: isGrafana, contentOf: ofGrafana },
  { fits: isAlertmanager, contentOf: ofAlertmanager },
  { suffix: 'discord', fits: isDiscord, contentOf: ofDiscord },
  { fits: isPlain, contentOf: ofPlain },
  { suffix: 'slack', fits: isSlack, contentOf: ofSlack },
];

/** The accepted formats, for the error about a body without content. */
const TAKEN =
  'the body has no content to post. Supported formats: text, blocks or attachments as in Slack; content or embeds as in Discord; ' +
  'message, msg or title; an event of GitHub, Gitea or GitLab with its header; alerts of Grafana or ' +
  'Alertmanager; events of Sentry, Jira, PagerDuty, Opsgenie, Statuspage, Jenkins, CircleCI, Docker Hub, Azure DevOps or Amazon SNS; cards for Teams or Google Chat; CloudEvents; and plain text, as text/plain';

/**
 * Converts a payload. Its format is determined by a header, by the URL suffix, or by its fields, in this
 * order. If the result is empty, tries the next format that fits. If no format yields a result, throws
 * INVALID_REQUEST, or returns an empty text for a message that has files.
 */
export function contentOf(
  payload: Loose,
  headers: IncomingHttpHeaders,
  suffix: Suffix | undefined,
  hasFiles = false,
): string {
  const isObject = typeof payload === 'object' && payload !== null;
  const eventOf = ({ header }: Format) => (header ? headers[header] : undefined);
  const fitting = formats.filter((format) => format.fits(payload));
  const chosen = [
    ...formats.filter((format) => eventOf(format) !== undefined),
    ...formats.filter((format) => suffix !== undefined && format.suffix === suffix),
    ...fitting,
  ];
  const candidates = Array.isArray(payload) ? fitting : chosen;
  for (const format of isObject ? new Set(candidates) : []) {
    beginConversion();
    const text = format.contentOf(payload, String(eventOf(format) ?? '')).trim();
    if (/[^\s\u200B]/.test(text)) return text;
  }
  if (hasFiles) return '';
  throw invalid('nothing_to_show', '', TAKEN);
}
