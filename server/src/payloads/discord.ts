import { bold, escaped, image, link, unmentioning } from './commonmark.ts';
import { firstOf, joined, type Loose, listOf, markupOf, stringOf } from './loose.ts';

/** Maximum embeds; Discord has the same limit. */
const MAX_EMBEDS = 10;
const MAX_FIELDS = 25;
const MAX_COMPONENTS = 40;
/** Maximum nesting of components that are shown. */
const MAX_LEVELS = 5;

/** Whether a payload has the fields of Discord's webhooks. */
export const isDiscord = (payload: Loose): boolean =>
  typeof payload?.content === 'string' ||
  Array.isArray(payload?.embeds) ||
  Array.isArray(payload?.components);

/** Converts a Discord payload: its `content`, embeds and components. May be empty. */
export const ofDiscord = (payload: Loose): string =>
  joined(
    [
      markdown(payload?.content),
      ...listOf(payload?.embeds).slice(0, MAX_EMBEDS).map(ofEmbed),
      ofComponents(payload?.components, 1),
    ],
    '\n\n',
  );

/** Matches, in this order: a mention by id, a command, a channel, an emoji, a time, everybody. */
const TAG =
  /<@[!&]?(\d+)>|<\/([\w -]{1,100}):\d+>|<#(\d+)>|<a?(:\w{1,32}:)\d+>|<t:(-?\d{1,13})(?::\w)?>|@(everyone|here)\b/g;

/** Converts Discord's own tags to text. The rest is CommonMark. Discord's ids cannot be resolved here. */
const markdown = (value: Loose): string =>
  markupOf(value).replace(TAG, (_, id, command, channel, emoji, seconds, everybody) => {
    if (command) return `/${command}`;
    if (channel) return `#${channel}`;
    if (emoji) return emoji;
    return seconds ? dateOf(seconds) : unmentioning(`@${id ?? everybody}`);
  });

function dateOf(seconds: string): string {
  const date = new Date(Number(seconds) * 1000);
  return Number.isNaN(date.getTime()) ? seconds : date.toISOString().replace('.000', '');
}

/** Formats a title or a name, as a link if it has a URL. */
function titled(title: Loose, url: Loose): string {
  const [text, target] = [markupOf(title), stringOf(url)];
  return text && target ? link(target, text) : escaped(text);
}

function ofField(field: Loose): string {
  const [name, value] = [stringOf(field?.name).trim(), markdown(field?.value)];
  if (value.includes('\n')) return joined([bold(name), value], '\n');
  return joined([name && bold(`${name}:`), value], ' ');
}

function ofEmbed(embed: Loose): string {
  const { url } = embed?.image ?? {};
  // An `attachment:` URL refers to a file that the message already shows.
  const picture = stringOf(url).startsWith('attachment:') ? '' : firstOf(url);
  return joined(
    [
      titled(embed?.author?.name, embed?.author?.url),
      embed?.url && !embed.title ? link(stringOf(embed.url)) : titled(embed?.title, embed?.url),
      markdown(embed?.description),
      joined(listOf(embed?.fields).slice(0, MAX_FIELDS).map(ofField), '\n'),
      picture && image(picture, stringOf(embed?.title)),
      escaped(stringOf(embed?.footer?.text)),
    ],
    '\n\n',
  );
}

/** Converts components: their texts, and buttons that have links. */
const ofComponents = (components: Loose, level: number): string =>
  level > MAX_LEVELS
    ? ''
    : joined(
        listOf(components)
          .slice(0, MAX_COMPONENTS)
          .map((component) => ofComponent(component, level)),
        '\n\n',
      );

const ofComponent = (component: Loose, level: number): string =>
  joined(
    [
      markdown(component?.content),
      component?.url ? link(stringOf(component.url), stringOf(component.label)) : '',
      ofComponents(component?.components, level + 1),
      component?.accessory ? ofComponents([component.accessory], level + 1) : '',
    ],
    '\n\n',
  );
