import { bold, escaped, image, link } from './commonmark.ts';
import { joined, type Loose, listOf, markupOf, stringOf } from './loose.ts';

/** Elements shown per list, and levels of elements in an Adaptive Card. */
const MAX_ELEMENTS = 40;
const MAX_LEVELS = 5;

const isCard = (attachment: Loose): boolean => attachment?.content?.type === 'AdaptiveCard';

/** Whether a payload is a card for Microsoft Teams: a MessageCard, or a message with Adaptive Cards. */
export const isTeams = (payload: Loose): boolean =>
  payload?.['@type'] === 'MessageCard' ||
  payload?.type === 'AdaptiveCard' ||
  listOf(payload?.attachments).slice(0, MAX_ELEMENTS).some(isCard);

/** Converts a card for Microsoft Teams. Its texts are Markdown. */
export function ofTeams(payload: Loose): string {
  if (payload?.['@type'] === 'MessageCard') return ofMessageCard(payload);
  if (payload?.type === 'AdaptiveCard') return ofAdaptiveCard(payload);
  const cards = each(payload?.attachments, (attachment) =>
    isCard(attachment) ? ofAdaptiveCard(attachment.content) : '',
  );
  return joined([markupOf(payload?.text), ...cards], '\n\n');
}

const each = (list: Loose, convert: (item: Loose) => string): string[] =>
  listOf(list).slice(0, MAX_ELEMENTS).map(convert);

const ofFact = (name: Loose, value: Loose): string => joined([bold(markupOf(name)), markupOf(value)], ' ');

const ofMessageCard = (card: Loose): string =>
  joined(
    [
      bold(markupOf(card?.title)),
      markupOf(card?.text),
      ...each(card?.sections, ofSection),
      joined(
        each(card?.potentialAction, (action) => buttonOf(listOf(action?.targets)[0]?.uri, action?.name)),
        ' ',
      ),
    ],
    '\n\n',
  ) || escaped(markupOf(card?.summary));

const ofSection = (section: Loose): string =>
  joined(
    [
      bold(markupOf(section?.title)),
      markupOf(section?.activityTitle),
      markupOf(section?.activitySubtitle),
      markupOf(section?.text),
      joined(
        each(section?.facts, (fact) => ofFact(fact?.name, fact?.value)),
        '\n',
      ),
    ],
    '\n\n',
  );

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
    case 'Image':
      return image(stringOf(element.url), markupOf(element.altText));
    case 'ActionSet':
      return joined(
        each(element.actions, (action) => buttonOf(action?.url, action?.title)),
        ' ',
      );
    default:
      return inner(element?.items ?? element?.columns);
  }
}
