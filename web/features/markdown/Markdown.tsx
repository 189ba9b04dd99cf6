import { createElement, memo, type ReactNode, useMemo, useRef, useState } from 'react';
import { type Block, type Inline, parseMessage, textOfInlines } from '../../../server/src/lib/text/index.ts';
import { markdown as t } from '../../strings/en/conversation.ts';
import { Button, names } from '../../ui/index.ts';
import { Code } from '../code/index.ts';
import { ListOf, TableOf } from './Blocks.tsx';
import { isEmojiOnly } from './emojiOnly.ts';
import { LinkTo, Spoiler } from './Inline.tsx';
import { useEntities } from './useEntities.ts';
import { plainEmoji, withEmoji } from './withEmoji.ts';
import './Markdown.css';

/**
 * Renders a name with its prefix, such as `@ada` or `#general`: as a button or link if the user or channel exists.
 * `tail` is the punctuation after the name. It belongs to the name if the longer name exists. With `:`, renders the custom
 * emoji with this name; undefined if there is none.
 */
export type Named = (mark: '@' | '#' | ':', name: string, tail: string) => ReactNode;

/** Text with more characters or lines than this is folded. */
const LONG = 3_000;
const MANY_LINES = 40;

const isLong = (content: string): boolean =>
  content.length > LONG || (content.match(/\n/g)?.length ?? 0) > MANY_LINES;

/** True if the text has stacked diacritics, which may overlap the lines around them. */
const isTall = (content: string): boolean =>
  /[\u{300}-\u{10ffff}]{2}/u.test(content) && /\p{M}{2}/u.test(content);

interface MarkdownProps {
  content: string;
  named: Named;
  /** Shown at the end of the last paragraph, or below the text. */
  after?: ReactNode;
  /**
   * `growing` while the message is streamed; `grown` afterwards, if it was streamed when it was first shown. Long
   * messages are then initially unfolded.
   */
  stage?: 'growing' | 'grown' | undefined;
}

/**
 * Renders a message, parsed by the server's `parseMessage`, as React elements. HTML is shown as text, links
 * can only be web or mail addresses, and images become links, so reading a message contacts no other host.
 */
export const Markdown = memo(function Markdown({ content, named, after, stage }: MarkdownProps) {
  const entities = useEntities(content);
  // biome-ignore lint/correctness/useExhaustiveDependencies: entities change what the content means
  const blocks = useMemo(() => parseMessage(content), [content, entities]);
  const last = blocks.at(-1);
  const draw = drawing(named, false, stage === 'growing' ? last : undefined);
  const drawn = useDrawn(draw, named, stage);
  const isAfterText = after && last?.type === 'paragraph';
  const parts = drawn(isAfterText ? blocks.slice(0, -1) : blocks);
  parts.push(isAfterText ? createElement('p', null, ...draw.line(last.children), after) : after);
  const className = names(
    'markdown',
    isEmojiOnly(plainEmoji(content, (name) => named(':', name, ''))) && 'markdown-large',
    isTall(content) && 'markdown-tall',
  );
  // A streamed message always uses this element, so nothing re-renders when its text becomes long.
  if (stage || isLong(content))
    return <Folded {...{ parts, className, stage }} isLong={isLong(content) && stage !== 'growing'} />;
  return createElement('div', { className, dir: 'auto' }, ...parts);
});

type Drawing = ReturnType<typeof drawing>;

/**
 * Renders blocks. While a message is streaming, reuses the elements of unchanged blocks, so React skips them.
 * Without this, each received piece would cost as much as rendering the whole message.
 */
function useDrawn(draw: Drawing, named: Named, stage: MarkdownProps['stage']): Drawing['blocks'] {
  const last = useRef({ named, drawn: new Map<string, ReactNode[]>() });
  if (stage !== 'growing') return draw.blocks;
  return (blocks) => {
    const before = last.current.named === named ? last.current.drawn : undefined;
    const drawn = new Map<string, ReactNode[]>();
    last.current = { named, drawn };
    return blocks.flatMap((one) => {
      const key = `${draw.isGrowing(one)} ${JSON.stringify(one)}`;
      const parts = before?.get(key) ?? draw.blocks([one]);
      drawn.set(key, parts);
      return parts;
    });
  };
}

interface FoldedProps {
  parts: readonly ReactNode[];
  className: string;
  isLong: boolean;
  stage: MarkdownProps['stage'];
}

/** Text with a button that folds or unfolds it if it is long. */
function Folded({ parts, className, isLong, stage }: FoldedProps) {
  const [isOpen, setOpen] = useState(stage !== undefined);
  return (
    <div className="markdown-long">
      {createElement(
        'div',
        { className: names(className, !isOpen && 'markdown-folded'), dir: 'auto' },
        ...parts,
      )}
      {isLong && (
        <Button size="small" kind="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t.less : t.all}
        </Button>
      )}
    </div>
  );
}

/**
 * Returns renderers for blocks and lines. Their results are spread as children, which need no keys. Inside a link, images
 * are text, because links can't be nested. Code is not highlighted while it grows, because that would take too long.
 */
function drawing(named: Named, isInLink = false, growing?: Block) {
  const isGrowing = (one: Block): boolean => one === growing;
  const blocks = (all: readonly Block[], isTight = false): ReactNode[] =>
    all.flatMap((one) => block(one, isTight));
  const line = (all: readonly Inline[]): ReactNode[] => all.flatMap(inline);

  function block(one: Block, isTight: boolean): ReactNode | ReactNode[] {
    switch (one.type) {
      case 'paragraph':
        return isTight ? line(one.children) : createElement('p', null, ...line(one.children));
      case 'heading': {
        // Does not use a heading element, because headings are used to navigate the page.
        const props = { className: 'markdown-heading', 'data-depth': one.level };
        return createElement('p', props, ...line(one.children));
      }
      case 'quote':
        return createElement('blockquote', null, ...blocks(one.children));
      case 'list':
        return <ListOf list={one} draw={blocks} />;
      case 'code':
        return one.text.trim() && <Code text={one.text} language={one.info} isPlain={isGrowing(one)} />;
      case 'table':
        return <TableOf table={one} draw={line} />;
      default:
        return <hr />;
    }
  }

  function inline(one: Inline): ReactNode | ReactNode[] {
    switch (one.type) {
      case 'text':
        return withEmoji(one.text, (name) => named(':', name, ''));
      case 'name':
        return named(one.mark, one.name, one.tail);
      case 'break':
        return <br />;
      case 'codeSpan':
        return <code dir="ltr">{one.text}</code>;
      case 'link':
        return createElement(
          LinkTo,
          { href: one.url, text: textOfInlines(one.children), title: one.title },
          ...drawing(named, true).line(one.children),
        );
      case 'image':
        return isInLink ? (
          one.text
        ) : (
          <LinkTo href={one.url} text={one.text} title={one.title}>
            {one.text || t.picture}
          </LinkTo>
        );
      case 'spoiler':
        return createElement(Spoiler, null, ...line(one.children));
      default:
        return createElement(tags[one.type], null, ...line(one.children));
    }
  }
  return { blocks, line, isGrowing };
}

const tags = { emphasis: 'em', strong: 'strong', strike: 'del' } as const;
