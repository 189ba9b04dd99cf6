import { bold, escaped, image, link, unmentioning } from './commonmark.ts';
import { each, entryOf, joined, type Loose, markupOf, stringOf } from './loose.ts';
import { mrkdwn } from './mrkdwn.ts';

/** Maximum nesting of columns that is shown. */
const MAX_LEVELS = 3;

/**
 * Whether a payload has cards for Google Chat, version 1 or 2. A payload with only `text` looks the same as a
 * Slack payload.
 */
export const isGoogleChat = (payload: Loose): boolean =>
  Array.isArray(payload?.cardsV2) || (Array.isArray(payload?.cards) && !Array.isArray(payload.attachments));

/** Converts a message for Google Chat: its text, and the texts, images and links in its cards. */
export const ofGoogleChat = (payload: Loose): string =>
  joined(
    [
      mrkdwn(payload?.text),
      ...each(payload?.cardsV2, (entry) => ofCard(entry?.card)),
      ...each(payload?.cards, ofCard),
    ],
    '\n\n',
  ) || mrkdwn(payload?.fallbackText);

/** Matches the HTML tags that card texts may contain. */
const TAG = /<(\/?)(b|strong|i|em|u|s|strike|del|font|time|a|br)\b([^<>]{0,2000})>/gi;
const HREF = /\bhref\s*=\s*["']([^"']+)["']/i;
const MARKS: Readonly<Record<string, string>> = {
  b: '**',
  strong: '**',
  i: '_',
  em: '_',
  s: '~~',
  strike: '~~',
  del: '~~',
};
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** Converts the text of a card. It may contain a few HTML tags. */
function html(value: Loose): string {
  const text = markupOf(value);
  const parts: string[] = [];
  let [end, href, label] = [0, '', ''];
  for (const { 0: tag, 1: slash, 2: name = '', 3: rest = '', index } of text.matchAll(TAG)) {
    const before = plain(text.slice(end, index));
    end = index + tag.length;
    const kind = name.toLowerCase();
    if (href) label += before;
    else parts.push(escaped(unmentioning(before)));
    if (kind === 'a') {
      if (href) parts.push(link(href, label));
      [href, label] = [slash ? '' : plain(HREF.exec(rest)?.[1] ?? ''), ''];
    } else if (href) {
      // Other tags are dropped inside a link.
      if (kind === 'br') label += ' ';
    } else {
      parts.push(kind === 'br' ? '\n' : (entryOf(MARKS, kind) ?? ''));
    }
  }
  parts.push(escaped(unmentioning(label + plain(text.slice(end)))));
  return parts.join('');
}

const plain = (text: string): string =>
  text.replace(/&(\w{2,4});/g, (whole, name) => entryOf(ENTITIES, name) ?? whole);

const ofCard = (card: Loose): string =>
  joined(
    [
      bold(stringOf(card?.header?.title)),
      escaped(unmentioning(stringOf(card?.header?.subtitle))),
      ...each(card?.sections, (section) =>
        joined(
          [bold(stringOf(section?.header)), ...each(section?.widgets, (widget) => ofWidget(widget, 1))],
          '\n\n',
        ),
      ),
    ],
    '\n\n',
  );

/** Formats a button of a card, in version 2 or 1. */
function ofButton(button: Loose): string {
  const { onClick, text, altText } = button?.textButton ?? button?.imageButton ?? button ?? {};
  const url = stringOf(onClick?.openLink?.url);
  return url && link(url, stringOf(text) || stringOf(altText));
}

const ofButtons = (buttons: Loose): string => joined(each(buttons, ofButton), ' ');

/** Formats a text with a label above or below it. */
const labelled = (top: Loose, text: string, bottom: Loose, button: string): string =>
  joined(
    [joined([stringOf(top).trim() && bold(`${stringOf(top)}:`), text], ' '), html(bottom), button],
    '\n',
  );

function ofWidget(widget: Loose, level: number): string {
  const { decoratedText: decorated, keyValue, textParagraph, buttonList, columns, chipList } = widget ?? {};
  const parts = [
    html(textParagraph?.text),
    decorated
      ? labelled(
          decorated.topLabel,
          html(decorated.text),
          decorated.bottomLabel,
          ofButton(decorated.button) || ofButton(decorated),
        )
      : '',
    keyValue
      ? labelled(keyValue.topLabel, html(keyValue.content), keyValue.bottomLabel, ofButton(keyValue.button))
      : '',
    ofImage(widget?.image),
    ofButtons(buttonList?.buttons),
    ofButtons(chipList?.chips),
    ofButtons(widget?.buttons),
    ...each(widget?.grid?.items, (item) =>
      joined([stringOf(item?.title), stringOf(item?.subtitle)].map(escaped), ' — '),
    ),
  ];
  if (level <= MAX_LEVELS)
    parts.push(
      ...each(columns?.columnItems, (column) =>
        joined(
          each(column?.widgets, (inner) => ofWidget(inner, level + 1)),
          '\n',
        ),
      ),
    );
  return joined(parts, '\n');
}

const ofImage = (picture: Loose): string =>
  stringOf(picture?.imageUrl) ? image(stringOf(picture.imageUrl), stringOf(picture.altText)) : '';
