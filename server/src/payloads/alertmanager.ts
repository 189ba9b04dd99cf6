import { cut, escaped, link, oneLine } from './commonmark.ts';
import { firstOf, joined, type Loose, listOf, numberOf, stringOf } from './loose.ts';

/** Maximum alerts shown per message, and labels per alert. */
const MAX_ALERTS = 10;
const MAX_LABELS = 12;
/** Maximum labels of an alert that are read. */
const MAX_ENTRIES = 200;
/**
 * Maximum total length of the alerts shown, in characters. The others are only counted, because a message can
 * have at most 8,000 characters.
 */
const MAX_ALERT_CHARACTERS = 6_000;

/** Whether a payload comes from Alertmanager's own webhook. */
export const isAlertmanager = (payload: Loose): boolean =>
  Array.isArray(payload?.alerts) && typeof payload.status === 'string';

/** Converts an alert group to a title, formatted like Alertmanager's own messages, and one line per alert. */
export const ofAlertmanager = (payload: Loose): string =>
  joined([titleOf(payload), alertsOf(payload)], '\n\n');

function titleOf(payload: Loose): string {
  const alerts = listOf(payload.alerts);
  const status = stringOf(payload.status);
  const firing = alerts.filter((alert) => alert?.status === 'firing').length;
  const state = status === 'firing' ? `${status}:${firing}` : status;
  const groups = entriesOf(payload.groupLabels)
    .slice(0, MAX_LABELS)
    .map(([, value]) => stringOf(value));
  const name = joined(groups, ' ') || firstOf(payload.commonLabels?.alertname, payload.receiver);
  const title = `[${state.toUpperCase()}] ${name}`;
  const url = stringOf(payload.externalURL);
  const more = labelsOf(payload.commonLabels, payload.groupLabels, { alertname: name });
  return joined([`**${url ? link(url, title) : escaped(oneLine(title))}**`, more], ' ');
}

/** Formats the alerts as a list. */
export function alertsOf(payload: Loose): string {
  const alerts = listOf(payload.alerts);
  const shown: string[] = [];
  let length = 0;
  for (const alert of alerts.slice(0, MAX_ALERTS)) {
    const text = ofAlert(alert, payload);
    length += text.length;
    if (length > MAX_ALERT_CHARACTERS && shown.length > 0) break;
    shown.push(cut(text, MAX_ALERT_CHARACTERS));
  }
  const left = alerts.length - shown.length + numberOf(payload.truncatedAlerts);
  return joined([...shown, left > 0 ? `- and ${left} more` : ''], '\n');
}

function ofAlert(alert: Loose, { status, commonLabels }: Loose): string {
  const { annotations, labels } = alert ?? {};
  const text = joined(
    [stringOf(annotations?.summary), firstOf(annotations?.description, annotations?.message)],
    ' — ',
  );
  const words = [
    alert?.status && alert.status !== status ? `**${escaped(oneLine(stringOf(alert.status)))}:**` : '',
    escaped(oneLine(text || firstOf(labels?.alertname) || 'an alert')),
    labelsOf(labels, commonLabels, { alertname: labels?.alertname }),
    linkTo(alert?.generatorURL, 'source'),
    linkTo(annotations?.runbook_url, 'runbook'),
    linkTo(alert?.dashboardURL, 'dashboard'),
    linkTo(alert?.panelURL, 'panel'),
  ];
  return `- ${joined(words, ' ')}`;
}

/** Returns the first entries of a label set. Real alerts have fewer than 100. */
function entriesOf(labels: Loose): [string, Loose][] {
  if (typeof labels !== 'object' || labels === null) return [];
  return Object.keys(labels)
    .slice(0, MAX_ENTRIES)
    .map((name) => [name, labels[name]]);
}

const linkTo = (url: Loose, label: string): string => (stringOf(url) ? link(stringOf(url), label) : '');

/** Formats the labels in parentheses, except those in `shown`. */
function labelsOf(labels: Loose, ...shown: Loose[]): string {
  const isShown = ([name, value]: [string, Loose]) => shown.some((table) => table?.[name] === value);
  const left = entriesOf(labels).filter((label) => !isShown(label));
  const words = left.slice(0, MAX_LABELS).map(([name, value]) => `${name}=${stringOf(value)}`);
  return words.length === 0 ? '' : escaped(oneLine(`(${words.join(', ')})`));
}
