import { invalid } from '../../errors.ts';

/** Converts payloads of Slack's incoming webhooks to text, as far as they can be shown as text. */

/** Values in `blocks`, and in `attachments`, at most, counting lists, objects and all that is in them. */
const MAX_VALUES = 5_000;
/** Levels of `elements` in a block, at most. Slack's own rich text has three. */
const MAX_LEVELS = 6;
/** UTF-16 units of a quote that are converted: of the message only the first 8,000 characters are kept. */
const MAX_QUOTE_UNITS = 16_000;

// biome-ignore lint/suspicious/noExplicitAny: unchecked input; each function below accepts any value
type Loose = any;

const listOf = (value: Loose): Loose[] => (Array.isArray(value) ? value : []);
const stringOf = (value: Loose): string => (typeof value === 'string' ? value : '');
/** The parts that are not blank, joined. */
const joined = (parts: readonly string[], between: string): string =>
  parts.filter((part) => part.trim() !== '').join(between);

/** The text of a payload: its blocks, or else its `text`, then its attachments. May be empty. */
export function textOf(payload: Loose): string {
  const blocks = joined(listOf(payload?.blocks).map(ofBlock), '\n');
  const text = blocks || mrkdwn(payload?.text);
  return joined([text, ...listOf(payload?.attachments).map(ofAttachment)], '\n\n').trim();
}

/** Throws INVALID_REQUEST if the blocks or attachments of a payload are too large, or nested too deep, to be converted. */
export function requireConvertible(payload: Loose): void {
  for (const part of ['blocks', 'attachments']) {
    if (valuesIn(payload?.[part]) > MAX_VALUES) throw invalid(part, `must have at most ${MAX_VALUES} values`);
    const blocks = part === 'blocks' ? payload?.blocks : listOf(payload?.attachments).flatMap(blocksOf);
    if (listOf(blocks).some((block) => levelsIn(block) > MAX_LEVELS))
      throw invalid(part, `must have at most ${MAX_LEVELS} levels of elements in a block`);
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

const link = (url: string, label: string): string =>
  label === '' || label === url
    ? url
    : `[${label.replace(/[[\]]/g, '\\$&')}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`;

const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };
const plain = (text: string): string =>
  text.replace(/&(lt|gt|amp);/g, (entity) => entities[entity] as string);

/** Converts Slack's markup: links and mentions in angle brackets, and three entities. The rest stays as it is. */
function mrkdwn(value: Loose): string {
  const text = stringOf(value);
  let made = '';
  let end = 0;
  for (const match of text.matchAll(/<([^<>|\n]+)(?:\|([^<>\n]*))?>/g)) {
    made += plain(text.slice(end, match.index)) + ofBrackets(match[1] as string, match[2] ?? '');
    end = match.index + match[0].length;
  }
  return made + plain(text.slice(end));
}

/** Converts `<target|label>`: a link, a channel, a user, everybody, a group or a date. */
function ofBrackets(target: string, label: string): string {
  const name = plain(label);
  const kind = target[0];
  if (kind === '#' || kind === '@') return kind + (name || target.slice(1)).replace(/^[#@]/, '');
  if (kind !== '!') return link(plain(target), name);
  const [command = ''] = target.slice(1).split('^', 1);
  return ['here', 'channel', 'everyone'].includes(command) ? `@${command}` : name || `@${command}`;
}

/** A text object: `{type: "mrkdwn" | "plain_text", text}`. */
const ofText = (object: Loose): string =>
  object?.type === 'mrkdwn' ? mrkdwn(object.text) : stringOf(object?.text);

function ofBlock(block: Loose): string {
  switch (block?.type) {
    case 'header':
      return joined([ofText(block.text)], '') && `**${ofText(block.text)}**`;
    case 'section':
      return joined(
        [ofText(block.text), ...listOf(block.fields).map(ofText), ofElement(block.accessory)],
        '\n',
      );
    case 'context':
    case 'actions':
      return joined(listOf(block.elements).map(ofElement), ' ');
    case 'divider':
      return '---';
    case 'image':
      return ofElement(block);
    case 'markdown':
      return stringOf(block.text);
    case 'rich_text':
      return joined(listOf(block.elements).map(ofRich), '\n');
    default:
      return '';
  }
}

/** An element of a block: an image, a button (only if it has a URL), or a text object. */
function ofElement(element: Loose): string {
  if (element?.type === 'image') return link(stringOf(element.image_url), stringOf(element.alt_text));
  if (element?.type === 'button') return element.url ? link(stringOf(element.url), ofText(element.text)) : '';
  return ofText(element);
}

function ofRich(element: Loose): string {
  const children = listOf(element?.elements).map(ofRich);
  switch (element?.type) {
    case 'rich_text_list':
      return children
        .map((item, index) => (element.style === 'ordered' ? `${index + 1}. ${item}` : `- ${item}`))
        .join('\n');
    case 'rich_text_quote':
      return children.join('').slice(0, MAX_QUOTE_UNITS).toWellFormed().replace(/^/gm, '> ');
    case 'rich_text_preformatted':
      return `\`\`\`\n${children.join('')}\n\`\`\``;
    case 'link':
      return link(stringOf(element.url), stringOf(element.text));
    case 'emoji':
      return `:${stringOf(element.name)}:`;
    case 'broadcast':
      return `@${stringOf(element.range)}`;
    case 'user':
      return `@${stringOf(element.user_id)}`;
    case 'channel':
      return `#${stringOf(element.channel_id)}`;
    default:
      return children.length > 0 ? children.join('') : stringOf(element?.text);
  }
}

/** A button of an attachment, if it has a URL. */
const ofAction = (action: Loose): string =>
  action?.url ? link(stringOf(action.url), stringOf(action.text)) : '';

function ofAttachment(attachment: Loose): string {
  const { title_link: url, image_url: image } = attachment ?? {};
  const title = mrkdwn(attachment?.title);
  const parts = [
    mrkdwn(attachment?.pretext),
    url && title ? link(stringOf(url), title) : title,
    mrkdwn(attachment?.text),
    ...listOf(attachment?.fields).map((field) => joined([mrkdwn(field?.title), mrkdwn(field?.value)], ': ')),
    ...listOf(attachment?.blocks).map(ofBlock),
    stringOf(image),
    joined(listOf(attachment?.actions).map(ofAction), ' '),
  ];
  return joined(parts, '\n') || mrkdwn(attachment?.fallback);
}
