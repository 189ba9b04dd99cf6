import { escaped, image, link, oneLine } from './commonmark.ts';
import { firstOf, joined, type Loose, listOf, markupOf, stringOf } from './loose.ts';
import { mrkdwn } from './mrkdwn.ts';
import { ofRichText } from './slackRichText.ts';

/** Converts a text object: `{type: "mrkdwn" | "plain_text", text}`. */
const ofText = (object: Loose): string =>
  object?.type === 'mrkdwn' ? mrkdwn(object.text) : escaped(markupOf(object?.text));

/** Converts a text object to a plain label. */
const labelOf = (object: Loose): string => stringOf(object?.text ?? object);

/** Converts a Slack block to CommonMark; empty if it has no content. */
export function ofBlock(block: Loose): string {
  switch (block?.type) {
    case 'header':
      return joined([oneLine(ofText(block.text))].map(heading), '');
    case 'section':
      return joined(
        [ofText(block.text), joined(listOf(block.fields).map(ofText), '\n'), ofElement(block.accessory)],
        '\n\n',
      );
    case 'context':
    case 'actions':
    case 'context_actions':
      return joined(listOf(block.elements).map(ofElement), ' ');
    case 'divider':
      return '---';
    case 'image':
      return joined([escaped(labelOf(block.title)), ofElement(block)], '\n\n');
    case 'video':
      return link(firstOf(block.title_url, block.video_url), labelOf(block.title));
    case 'markdown':
      return stringOf(block.text);
    case 'rich_text':
      return ofRichText(block);
    case 'table':
      return joined(listOf(block.rows).map(ofRow), '\n');
    default:
      return '';
  }
}

const heading = (text: string): string => (text === '' ? '' : `## ${text}`);

/** Converts a table row to text. */
const ofRow = (row: Loose): string => joined(listOf(row).map(ofCell), ' | ');
const ofCell = (cell: Loose): string =>
  oneLine(cell?.type === 'rich_text' ? ofRichText(cell) : escaped(stringOf(cell?.text)));

/** Converts an element of a block: an image, a button (only if it has a URL), or a text object. */
function ofElement(element: Loose): string {
  const url = stringOf(element?.url);
  switch (element?.type) {
    case 'image':
      return image(
        firstOf(element.image_url, element.slack_file?.url),
        firstOf(element.alt_text, labelOf(element.title)),
      );
    case 'button':
    case 'workflow_button':
      return url && link(url, labelOf(element.text));
    case 'overflow':
      return joined(
        listOf(element.options).map((option) =>
          option?.url ? link(stringOf(option.url), labelOf(option.text)) : '',
        ),
        ' ',
      );
    case 'mrkdwn':
    case 'plain_text':
      return ofText(element);
    default:
      return '';
  }
}
