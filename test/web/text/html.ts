import { type Block, type Inline, parseMessage } from '../../../server/src/lib/text/index.ts';

/**
 * Renders a message as HTML, in the form used by the specifications' examples. The client builds elements instead.
 */
export const htmlOf = (content: string): string => blocks(parseMessage(content));

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const target = (url: string): string =>
  escaped(url.replace(/%(?![\da-fA-F]{2})|[^\w%!#$&'()*+,./:;=?@~-]/gu, (one) => encodeURIComponent(one)));
const title = (text: string): string => (text === '' ? '' : ` title="${escaped(text)}"`);

const tags = { emphasis: 'em', strong: 'strong', strike: 'del', spoiler: 'spoiler' } as const;

const line = (inlines: readonly Inline[]): string =>
  inlines
    .map((inline) => {
      switch (inline.type) {
        case 'text':
          return escaped(inline.text);
        case 'name':
          return inline.mark + inline.name + inline.tail;
        case 'break':
          return inline.isHard ? '<br />\n' : '\n';
        case 'codeSpan':
          return `<code>${escaped(inline.text)}</code>`;
        case 'link':
          return `<a href="${target(inline.url)}"${title(inline.title)}>${line(inline.children)}</a>`;
        case 'image':
          return `<img src="${target(inline.url)}" alt="${escaped(inline.text)}"${title(inline.title)} />`;
        default:
          return `<${tags[inline.type]}>${line(inline.children)}</${tags[inline.type]}>`;
      }
    })
    .join('');

const blocks = (all: readonly Block[]): string => all.map(block).join('');

function block(one: Block): string {
  switch (one.type) {
    case 'paragraph':
      return `<p>${line(one.children)}</p>\n`;
    case 'heading':
      return `<h${one.level}>${line(one.children)}</h${one.level}>\n`;
    case 'quote':
      return `<blockquote>\n${blocks(one.children)}</blockquote>\n`;
    case 'rule':
      return '<hr />\n';
    case 'code': {
      const language = /^\S+/.exec(one.info)?.[0];
      const name = language === undefined ? '' : ` class="language-${escaped(language)}"`;
      return `<pre><code${name}>${escaped(one.text)}${one.text === '' ? '' : '\n'}</code></pre>\n`;
    }
    case 'list':
      return list(one);
    default:
      return table(one);
  }
}

function list({ isOrdered, start, isTight, items }: Extract<Block, { type: 'list' }>): string {
  const tag = isOrdered ? 'ol' : 'ul';
  const first = isOrdered && start !== 1 ? ` start="${start}"` : '';
  const inside = items.map(({ isDone, children }) => {
    const box =
      isDone === undefined ? '' : `<input${isDone ? ' checked=""' : ''} disabled="" type="checkbox" /> `;
    const parts = children.map((child, at) =>
      isTight && child.type === 'paragraph'
        ? line(child.children) + (at < children.length - 1 ? '\n' : '')
        : (at === 0 ? '\n' : '') + block(child),
    );
    return `<li>${box}${parts.join('')}</li>\n`;
  });
  return `<${tag}${first}>\n${inside.join('')}</${tag}>\n`;
}

function table({ aligns, rows }: Extract<Block, { type: 'table' }>): string {
  const row = (cells: readonly (readonly Inline[])[], tag: string) => {
    const inside = aligns.map((align, at) => {
      const side = align === undefined ? '' : ` align="${align}"`;
      return `<${tag}${side}>${line(cells[at] ?? [])}</${tag}>\n`;
    });
    return `<tr>\n${inside.join('')}</tr>\n`;
  };
  const [head = [], ...others] = rows;
  const body = others.map((cells) => row(cells, 'td')).join('');
  return `<table>\n<thead>\n${row(head, 'th')}</thead>\n${body && `<tbody>\n${body}</tbody>\n`}</table>\n`;
}
