/** Makes text of the payloads that Slack's incoming webhooks take, as far as they can be shown as text. */

// biome-ignore lint/suspicious/noExplicitAny: whatever somebody sends, looked at with care
type Loose = any;

const listOf = (value: Loose): Loose[] => (Array.isArray(value) ? value : []);
const wordsOf = (value: Loose): string => (typeof value === 'string' ? value : '');
const shown = (parts: readonly string[], between: string): string =>
  parts.filter((part) => part.trim() !== '').join(between);

/** The text of a payload: its blocks or else its `text`, then its attachments. Empty if there is nothing to show. */
export function textOf(payload: Loose): string {
  const blocks = shown(listOf(payload?.blocks).map(ofBlock), '\n');
  const text = blocks || mrkdwn(payload?.text);
  return shown([text, ...listOf(payload?.attachments).map(ofAttachment)], '\n\n').trim();
}

const link = (url: string, label: string): string =>
  label === '' || label === url
    ? url
    : `[${label.replace(/[[\]]/g, '\\$&')}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`;

const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };
const plain = (text: string): string =>
  text.replace(/&(lt|gt|amp);/g, (entity) => entities[entity] as string);

/** Slack's own markup: what stands in angle brackets, and three entities; the rest stays as it is. */
function mrkdwn(value: Loose): string {
  const text = wordsOf(value);
  let made = '';
  let end = 0;
  for (const match of text.matchAll(/<([^<>|\n]+)(?:\|([^<>\n]*))?>/g)) {
    made += plain(text.slice(end, match.index)) + ofBrackets(match[1] as string, match[2] ?? '');
    end = match.index + match[0].length;
  }
  return made + plain(text.slice(end));
}

/** `<target|label>`: a link, a channel, a user, everybody, a group, or a date. */
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
  object?.type === 'mrkdwn' ? mrkdwn(object.text) : wordsOf(object?.text);

function ofBlock(block: Loose): string {
  switch (block?.type) {
    case 'header':
      return shown([ofText(block.text)], '') && `**${ofText(block.text)}**`;
    case 'section':
      return shown(
        [ofText(block.text), ...listOf(block.fields).map(ofText), ofElement(block.accessory)],
        '\n',
      );
    case 'context':
    case 'actions':
      return shown(listOf(block.elements).map(ofElement), ' ');
    case 'divider':
      return '---';
    case 'image':
      return ofElement(block);
    case 'markdown':
      return wordsOf(block.text);
    case 'rich_text':
      return shown(listOf(block.elements).map(ofRich), '\n');
    default:
      return '';
  }
}

/** What stands in a block beside text: images, and buttons that lead somewhere. */
function ofElement(element: Loose): string {
  if (element?.type === 'image') return link(wordsOf(element.image_url), wordsOf(element.alt_text));
  if (element?.type === 'button') return element.url ? link(wordsOf(element.url), ofText(element.text)) : '';
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
      return children.join('').replace(/^/gm, '> ');
    case 'rich_text_preformatted':
      return `\`\`\`\n${children.join('')}\n\`\`\``;
    case 'link':
      return link(wordsOf(element.url), wordsOf(element.text));
    case 'emoji':
      return `:${wordsOf(element.name)}:`;
    case 'broadcast':
      return `@${wordsOf(element.range)}`;
    case 'user':
      return `@${wordsOf(element.user_id)}`;
    case 'channel':
      return `#${wordsOf(element.channel_id)}`;
    default:
      return children.length > 0 ? children.join('') : wordsOf(element?.text);
  }
}

/** A button of an attachment, if it leads somewhere. */
const ofAction = (action: Loose): string =>
  action?.url ? link(wordsOf(action.url), wordsOf(action.text)) : '';

function ofAttachment(attachment: Loose): string {
  const { title_link: url, image_url: image } = attachment ?? {};
  const title = mrkdwn(attachment?.title);
  const parts = [
    mrkdwn(attachment?.pretext),
    url && title ? link(wordsOf(url), title) : title,
    mrkdwn(attachment?.text),
    ...listOf(attachment?.fields).map((field) => shown([mrkdwn(field?.title), mrkdwn(field?.value)], ': ')),
    ...listOf(attachment?.blocks).map(ofBlock),
    wordsOf(image),
    shown(listOf(attachment?.actions).map(ofAction), ' '),
  ];
  return shown(parts, '\n') || mrkdwn(attachment?.fallback);
}
