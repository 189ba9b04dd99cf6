import { quote } from '../../payloads/commonmark.ts';
import { ofDiscord } from '../../payloads/discord.ts';
import { convertedWith, joined } from '../../payloads/loose.ts';
import { customNameOf } from '../reading/emoji.ts';
import { type Loose, listOf, sourceIdOf, textOf } from '../reading/loose.ts';
import { convertedMarkdown } from '../reading/markdown.ts';

/** Resolves ids and names in texts. */
export interface DiscordNames {
  person(id: string): string | undefined;
  channel(id: string): string | undefined;
  /** Returns a mention of the channel with this name; undefined if the name is ambiguous. */
  channelNamed(name: string): string | undefined;
  link(channel: string, message: string): string | undefined;
}

const MAX_MENTIONS = 100;
const MAX_EMBED_CHARACTERS = 24_000;

/** Matches `<@1>`, `<#1>`, `<@&1>`, `<:name:1>`, `<t:1:R>`, `</name:1>`, and URLs of messages. */
const TAG =
  /<@!?(\d{1,20})>|<#(\d{1,20})>|<@&\d{1,20}>|<a?:(\w{1,100}):\d{1,20}>|<t:(-?\d{1,13})(?::[a-zA-Z])?>|<(\/[^:<>\n]{1,100}):\d{1,20}>|https:\/\/(?:\w+\.)?discord(?:app)?\.com\/channels\/(?:\d{1,20}|@me)\/(\d{1,20})\/(\d{1,20})|(?<![\p{L}\p{N}#])#([\p{L}\p{N}_-]{1,100})/gu;

/**
 * Converts the text of a message to Markdown. Discord's Markdown is nearly the same, except for `-#` and
 * `>>>`.
 */
export function textOfMessage(message: Loose, names: DiscordNames): string {
  const forwarded = message.forwardedMessage
    ? quote(ofContent(message.forwardedMessage, listOf(message.mentions), names))
    : '';
  return joined([ofContent(message, listOf(message.mentions), names), forwarded, ofEmbeds(message)], '\n\n');
}

function ofContent({ content }: Loose, mentions: readonly Loose[], names: DiscordNames): string {
  const lines = textOf(content).replace(/\r\n?/g, '\n').replace(/^-# /gm, '');
  const restOf = /^>>> /m.exec(lines);
  const text = restOf ? lines.slice(0, restOf.index) + quote(lines.slice(restOf.index + 4)) : lines;
  const mentioned = mentionsOf(mentions, names);
  return convertedMarkdown(text, (part) => mentioned(part.replace(TAG, (...found) => ofTag(found, names))));
}

function ofTag(found: readonly unknown[], names: DiscordNames): string {
  const [tag, person, channel, emoji, seconds, command, place, message, name] = found as (
    | string
    | undefined
  )[];
  if (person) return names.person(person) ?? '@unknown';
  if (channel) return names.channel(channel) ?? '#unknown';
  if (emoji) return `:${customNameOf(emoji)}:`;
  if (seconds) return dateOf(Number(seconds));
  if (command) return command;
  if (place && message) return names.link(place, message) ?? (tag as string);
  if (name) return names.channelNamed(name) ?? (tag as string);
  return '@role';
}

function dateOf(seconds: number): string {
  const date = new Date(seconds * 1_000);
  return Number.isNaN(date.getTime()) ? '' : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/**
 * Returns a function that restores mentions, which the exporter has replaced with the names of the mentioned
 * people.
 */
function mentionsOf(mentions: readonly Loose[], names: DiscordNames): (text: string) => string {
  const byName = new Map<string, string>();
  for (const { id, name, nickname } of mentions.slice(0, MAX_MENTIONS).filter(Boolean)) {
    const reference = names.person(sourceIdOf(id));
    for (const each of [textOf(name), textOf(nickname)])
      if (reference && each !== '') byName.set(each, reference);
  }
  if (byName.size === 0) return (text) => text;
  const known = [...byName.keys()].sort((a, b) => b.length - a.length).map((name) => RegExp.escape(name));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])@(${known.join('|')})(?![\\p{L}\\p{N}])`, 'gu');
  return (text) => text.replace(pattern, (_, name: string) => byName.get(name) as string);
}

const nothing = {
  person: () => undefined,
  channel: () => undefined,
  group: () => undefined,
  link: () => undefined,
  emoji: () => undefined,
};

/** Embeds by bots are content; embeds by people are link previews. */
function ofEmbeds({ author, embeds }: Loose): string {
  if (author?.isBot !== true || listOf(embeds).length === 0) return '';
  const copies = listOf(embeds)
    .slice(0, 10)
    .map((embed) => ({
      title: textOf(embed?.title),
      url: textOf(embed?.url) || undefined,
      description: textOf(embed?.description),
      author: embed?.author && { name: textOf(embed.author.name) },
      fields: listOf(embed?.fields)
        .slice(0, 25)
        .map((field) => ({ name: textOf(field?.name), value: textOf(field?.value) })),
      footer: embed?.footer && { text: textOf(embed.footer.text) },
    }));
  return convertedWith(nothing, MAX_EMBED_CHARACTERS, () => ofDiscord({ embeds: copies }));
}
