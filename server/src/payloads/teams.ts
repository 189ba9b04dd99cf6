import { bold, codeBlock, escaped, image, link } from './commonmark.ts';
import { each, joined, type Loose, listOf, markupOf, stringOf } from './loose.ts';

/** Maximum attachments that are checked for cards. */
const MAX_ATTACHMENTS = 40;
/** Maximum nesting depth in an Adaptive Card. Deeper elements are dropped. */
const MAX_LEVELS = 5;

const isCard = (attachment: Loose): boolean => attachment?.content?.type === 'AdaptiveCard';

/** Whether a payload is a card for Microsoft Teams: a MessageCard, or a message with Adaptive Cards. */
export const isTeams = (payload: Loose): boolean =>
  payload?.['@type'] === 'MessageCard' ||
  payload?.type === 'AdaptiveCard' ||
  listOf(payload?.attachments).slice(0, MAX_ATTACHMENTS).some(isCard);

/** Converts a card for Microsoft Teams. Its texts are Markdown. */
export function ofTeams(payload: Loose): string {
  if (payload?.['@type'] === 'MessageCard') return ofMessageCard(payload);
  if (payload?.type === 'AdaptiveCard') return ofAdaptiveCard(payload);
  const cards = each(payload?.attachments, (attachment) =>
    isCard(attachment) ? ofAdaptiveCard(attachment.content) : '',
  );
  return joined([markupOf(payload?.text), ...cards], '\n\n');
}

const ofFact = (name: Loose, value: Loose): string => joined([bold(markupOf(name)), markupOf(value)], ' ');

const ofMessageCard = (card: Loose): string =>
  joined(
    [
      bold(markupOf(card?.title)),
      markupOf(card?.text),
      ...each(card?.sections, ofSection),
      ofActions(card?.potentialAction),
    ],
    '\n\n',
  ) || escaped(markupOf(card?.summary));

const ofSection = (section: Loose): string =>
  joined(
    [
      bold(markupOf(section?.title)),
      markupOf(section?.activityTitle),
      markupOf(section?.activitySubtitle),
      markupOf(section?.activityText),
      markupOf(section?.text),
      joined(
        each(section?.facts, (fact) => ofFact(fact?.name, fact?.value)),
        '\n',
      ),
      ofPicture(section?.heroImage),
      ...each(section?.images, ofPicture),
      ofActions(section?.potentialAction),
    ],
    '\n\n',
  );

/** Formats the buttons of a MessageCard that open a page. Of several targets, it uses the first. */
const ofActions = (actions: Loose): string =>
  joined(
    each(actions, (action) => buttonOf(listOf(action?.targets)[0]?.uri, action?.name)),
    ' ',
  );

const ofPicture = (picture: Loose): string =>
  stringOf(picture?.image) ? image(stringOf(picture.image), stringOf(picture.title)) : '';

const buttonOf = (url: Loose, label: Loose): string =>
  stringOf(url) ? link(stringOf(url), markupOf(label)) : '';

const ofAdaptiveCard = (card: Loose): string =>
  joined(
    [
      ...each(card?.body, (element) => ofElement(element, 1)),
      joined(
        each(card?.actions, (action) => buttonOf(action?.url, action?.title)),
        ' ',
      ),
    ],
    '\n\n',
  );

function ofElement(element: Loose, level: number): string {
  if (level > MAX_LEVELS) return '';
  const inner = (list: Loose): string =>
    joined(
      each(list, (item) => ofElement(item, level + 1)),
      '\n\n',
    );
  switch (element?.type) {
    case 'TextBlock':
      return element.weight === 'Bolder' ? bold(markupOf(element.text)) : markupOf(element.text);
    case 'FactSet':
      return joined(
        each(element.facts, (fact) => ofFact(fact?.title, fact?.value)),
        '\n',
      );
    case 'RichTextBlock':
      return joined(each(element.inlines, ofInline), '');
    case 'CodeBlock':
      return codeBlock(markupOf(element.codeSnippet));
    case 'Table':
      return joined(
        each(element.rows, (row) =>
          joined(
            each(row?.cells, (cell) => inner(cell?.items)),
            ' | ',
          ),
        ),
        '\n\n',
      );
    case 'Image':
      return image(stringOf(element.url), markupOf(element.altText));
    case 'ActionSet':
      return joined(
        each(element.actions, (action) => buttonOf(action?.url, action?.title)),
        ' ',
      );
    default:
      return inner(element?.items ?? element?.columns ?? element?.images);
  }
}

/** Converts a part of a RichTextBlock, which is text without markup. */
function ofInline(inline: Loose): string {
  const text = stringOf(inline?.text ?? inline);
  return inline?.weight === 'Bolder' && text.trim() ? bold(text) : escaped(text);
}
