import { invalid } from '../errors.ts';
import { bold, image, link } from './commonmark.ts';
import { joined, type Loose, listOf, markupOf, stringOf } from './loose.ts';
import { decoded, mrkdwn } from './mrkdwn.ts';
import { ofBlock } from './slackBlocks.ts';

/** Converts payloads of Slack's incoming webhooks to CommonMark, as far as text can represent them. */

/** Maximum values in `blocks` and in `attachments`, counting everything nested in them. */
const MAX_VALUES = 5_000;
/** Maximum nesting of `elements` in a block. Slack's own rich text has three levels. */
const MAX_LEVELS = 6;

/** Whether a payload has the fields of Slack's webhooks. */
export const isSlack = (payload: Loose): boolean =>
  typeof payload?.text === 'string' || Array.isArray(payload?.blocks) || Array.isArray(payload?.attachments);

/**
 * Converts a payload: its blocks, or its `text` if there are none, followed by its attachments. May be empty.
 * Throws INVALID_REQUEST if blocks or attachments are too large or too deeply nested.
 */
export function ofSlack(payload: Loose): string {
  requireConvertible(payload);
  const blocks = joined(listOf(payload?.blocks).map(ofBlock), '\n\n');
  const text = blocks || mrkdwn(payload?.text);
  return joined([text, ...listOf(payload?.attachments).map(ofAttachment)], '\n\n');
}

function requireConvertible(payload: Loose): void {
  for (const part of ['blocks', 'attachments']) {
    if (valuesIn(payload?.[part]) > MAX_VALUES)
      throw invalid('too_many', part, `must have at most ${MAX_VALUES} values`);
    const blocks = part === 'blocks' ? payload?.blocks : listOf(payload?.attachments).flatMap(blocksOf);
    if (listOf(blocks).some((block) => levelsIn(block) > MAX_LEVELS))
      throw invalid(
        'too_deep',
        part,
        `must not nest \`elements\` more than ${MAX_LEVELS} levels deep in a block`,
      );
  }
}

const blocksOf = (attachment: Loose): Loose[] => listOf(attachment?.blocks);

function valuesIn(value: Loose): number {
  let count = 1;
  if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) count += valuesIn(inner);
  return count;
}

const levelsIn = (element: Loose): number =>
  listOf(element?.elements).reduce((levels, inner) => Math.max(levels, 1 + levelsIn(inner)), 0);

/** Formats a title or a name, as a link if it has a URL. In a link, only entities are decoded. */
function titled(title: Loose, url: Loose): string {
  const text = stringOf(title);
  return text && stringOf(url) ? link(stringOf(url), decoded(markupOf(text))) : mrkdwn(text);
}
/** Formats a button in an attachment; empty if it has no URL. */
const ofAction = (action: Loose): string =>
  action?.url ? link(stringOf(action.url), decoded(stringOf(action.text))) : '';

function ofField(field: Loose): string {
  const [title, value] = [markupOf(field?.title).trim(), mrkdwn(field?.value)];
  return value.trim() === ''
    ? bold(decoded(title))
    : joined([title && bold(`${decoded(title)}:`), value], ' ');
}

function ofAttachment(attachment: Loose): string {
  const { image_url: url } = attachment ?? {};
  const parts = [
    mrkdwn(attachment?.pretext),
    titled(attachment?.author_name, attachment?.author_link),
    titled(attachment?.title, attachment?.title_link),
    mrkdwn(attachment?.text),
    joined(listOf(attachment?.fields).map(ofField), '\n'),
    ...listOf(attachment?.blocks).map(ofBlock),
    url ? image(stringOf(url), decoded(stringOf(attachment?.title))) : '',
    joined(listOf(attachment?.actions).map(ofAction), ' '),
  ];
  const shown = joined(parts, '\n\n') || mrkdwn(attachment?.fallback);
  return joined([shown, mrkdwn(attachment?.footer)], '\n\n');
}
