import { quote } from '../../payloads/commonmark.ts';
import { textOf } from '../reading/loose.ts';
import { convertedMarkdown } from '../reading/markdown.ts';

/** Resolves names in texts. */
export interface ZulipNames {
  person(name: string, id: string | undefined): string | undefined;
  channel(name: string): string | undefined;
}

/**
 * Matches mentions, links to channels, and times: `@**Ada|7**`, `@_**Ada**`, `@*group*`,
 * `#**channel>topic@12**`, `<time:2026-01-02T10:00:00Z>`.
 */
const TAG =
  /@_?\*\*([^*|\n]{1,200})(?:\|(\d{1,12}))?\*\*|@_?\*([^*\n]{1,200})\*|#\*\*([^*>\n]{1,200})(?:>([^*\n]{1,200}?))?(?:@\d{1,12})?\*\*|<time:([^<>\n]{1,60})>/g;
/** Matches a link to an uploaded file. */
const UPLOAD = /!?\[([^[\]\n]{0,500})\]\((?:https?:\/\/[^\s()/]{1,200})?\/user_uploads\/([^\s()]{1,1000})\)/g;

/**
 * Converts the text of a message to Markdown without its links to uploaded files. Also returns the paths of
 * those files.
 */
export function textOfMessage(content: unknown, names: ZulipNames): { text: string; uploads: string[] } {
  const uploads: string[] = [];
  const whole = withoutQuoteBlocks(textOf(content).replace(/\r\n?/g, '\n'));
  const text = convertedMarkdown(whole, (part) =>
    part
      .replace(UPLOAD, (_, label: string, path: string) => {
        uploads.push(decoded(path));
        return decoded(path).endsWith(`/${label}`) ? '' : label;
      })
      .replace(TAG, (_, person, id, group, channel, topic, time) => {
        if (person) return names.person(person, id) ?? `@${person}`;
        if (group) return `@${group}`;
        if (time) return time;
        const found = names.channel(channel) ?? `#${channel}`;
        return topic ? `${found} > ${topic}` : found;
      }),
  );
  return { text: text.trim(), uploads };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const FENCE = /^(`{3,}|~{3,})[ \t]*(\S*)[ \t]*(.*)$/;

/**
 * Converts `quote` blocks to quotes, and removes the fences of `spoiler` blocks. Other blocks remain code.
 */
function withoutQuoteBlocks(text: string): string {
  const lines: string[] = [];
  /** The open blocks, with the index of their first line. */
  const open: { fence: string; kind: string; start: number }[] = [];
  for (const line of text.split('\n')) {
    const [, fence = '', kind = '', rest = ''] = FENCE.exec(line) ?? [];
    const last = open.at(-1);
    const isEnd =
      last && fence !== '' && kind === '' && fence[0] === last.fence[0] && fence.length >= last.fence.length;
    const isBlock = (kind === 'quote' || kind === 'spoiler') && open.length < MAX_NESTED;
    if (isEnd) {
      open.pop();
      if (last.kind === 'quote') lines.push(...quote(lines.splice(last.start).join('\n')).split('\n'), '');
      else if (last.kind !== 'spoiler') lines.push(line);
    } else if (fence !== '' && (last === undefined || last.kind !== 'code')) {
      if (!isBlock) lines.push(line);
      else if (kind === 'spoiler' && rest !== '') lines.push(rest);
      open.push({ fence, kind: isBlock ? kind : 'code', start: lines.length });
    } else lines.push(line);
  }
  return lines.join('\n');
}

const MAX_NESTED = 8;
