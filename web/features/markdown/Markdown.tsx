import type { Tokens } from 'marked';
import { createElement, memo, type ReactNode, useMemo, useState } from 'react';
import { markdown as t } from '../../strings/en/conversation.ts';
import { Button, names } from '../../ui/index.ts';
import { ListOf, TableOf } from './Blocks.tsx';
import { Code } from './Code.tsx';
import { decoded } from './entities.ts';
import { LinkTo, Spoiler } from './Inline.tsx';
import { isEmojiOnly, lex, type Token, textOf } from './lex.ts';
import { addressOf, piecesOf } from './links.ts';
import './Markdown.css';

/** Renders a name with its prefix, such as `@ada` or `#general`: as a link if the user or channel exists. */
export type Named = (mark: '@' | '#', name: string) => ReactNode;

/** Texts with more characters or lines than this are folded. */
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
  /** Content after the last line, such as "edited". */
  after?: ReactNode;
}

/**
 * Renders Markdown as React elements: CommonMark with GFM's tables, lists and line breaks, plus spoilers
 * and mentions. Raw HTML is shown as text, links can only be web or mail addresses, and images become
 * links, so reading a message contacts no other host.
 */
export const Markdown = memo(function Markdown({ content, named, after }: MarkdownProps) {
  const tokens = useMemo(() => lex(content), [content]);
  const draw = drawing(named);
  const last = tokens.at(-1);
  const isAfterText = after && last?.type === 'paragraph';
  const parts = draw(isAfterText ? tokens.slice(0, -1) : tokens);
  parts.push(
    isAfterText ? createElement('p', null, ...draw((last as Tokens.Paragraph).tokens), after) : after,
  );
  if (isLong(content)) return <Folded parts={parts} />;
  const className = names(
    'markdown',
    isEmojiOnly(content) && 'markdown-large',
    isTall(content) && 'markdown-tall',
  );
  return createElement('div', { className, dir: 'auto' }, ...parts);
});

/** A long text, with a button that unfolds it. */
function Folded({ parts }: { parts: readonly ReactNode[] }) {
  const [isOpen, setOpen] = useState(false);
  const className = isOpen ? 'markdown' : 'markdown markdown-folded';
  return (
    <div className="markdown-long">
      {createElement('div', { className, dir: 'auto' }, ...parts)}
      <Button size="small" kind="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? t.less : t.all}
      </Button>
    </div>
  );
}

/**
 * Returns a renderer for tokens. Its results are spread as children, which need no keys. Inside a link,
 * names are plain text, because links can't be nested.
 */
function drawing(named: Named, isInLink = false): (tokens: readonly Token[] | undefined) => ReactNode[] {
  const draw = (tokens: readonly Token[] | undefined): ReactNode[] => (tokens ?? []).flatMap(one);
  const inside = (token: Token) => draw((token as { tokens?: Token[] }).tokens);

  function words(text: string): ReactNode[] {
    const whole = decoded(text);
    if (isInLink) return [whole];
    return piecesOf(whole).map((piece) =>
      typeof piece === 'string' ? piece : named(piece.mark, piece.name),
    );
  }

  function one(token: Token): ReactNode | ReactNode[] {
    switch (token.type) {
      case 'paragraph':
        return createElement('p', null, ...inside(token));
      case 'text': {
        const { tokens, text } = token as Tokens.Text;
        return tokens ? draw(tokens) : words(text);
      }
      case 'escape':
        return (token as Tokens.Escape).text;
      case 'strong':
      case 'em':
      case 'del':
      case 'blockquote':
        return createElement(token.type, null, ...inside(token));
      case 'br':
        return <br />;
      case 'codespan':
        return <code dir="ltr">{(token as Tokens.Codespan).text}</code>;
      case 'code':
        return <Code text={(token as Tokens.Code).text} language={(token as Tokens.Code).lang ?? ''} />;
      case 'heading': {
        // Not a heading element, because headings are used to navigate the page.
        const props = { className: 'markdown-heading', 'data-depth': (token as Tokens.Heading).depth };
        return createElement('p', props, ...inside(token));
      }
      case 'hr':
        return <hr />;
      case 'list':
        return <ListOf list={token as Tokens.List} draw={draw} />;
      case 'table':
        return <TableOf table={token as Tokens.Table} draw={draw} />;
      case 'link': {
        const { href, tokens } = token as Tokens.Link;
        const text = textOf(token.raw.startsWith('[') ? (token as Tokens.Link).text : token.raw);
        if (isInLink) return draw(tokens);
        return createElement(LinkTo, { href: decoded(href), text }, ...drawing(named, true)(tokens));
      }
      case 'image': {
        const { href, text } = token as Tokens.Image;
        return isInLink ? (
          text
        ) : (
          <LinkTo href={decoded(href)} text={text}>
            {decoded(text) || t.picture}
          </LinkTo>
        );
      }
      case 'spoiler':
        return createElement(Spoiler, null, ...inside(token));
      case 'def':
        // A note such as "[TODO]: fix" only looks like the definition of a link.
        return addressOf((token as Tokens.Def).href) === undefined
          ? createElement('p', null, token.raw)
          : null;
      case 'space':
      case 'checkbox':
        return null;
      default:
        return token.raw;
    }
  }
  return draw;
}
