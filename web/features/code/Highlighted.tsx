import highlighter from 'highlight.js/lib/common';
import arduino from 'highlight.js/lib/languages/arduino';
import { createElement, type ReactNode, useMemo } from 'react';
import './Highlighted.css';

highlighter.registerLanguage('arduino', arduino);

/**
 * A node in highlight.js's token tree, which its type definitions omit. Code in another language has the
 * scope `language:css`.
 */
type Token = { scope?: string; children: (Token | string)[] };

/** The classes that highlight.js writes into HTML, such as `hljs-title function_`. */
const classOf = (scope: string) =>
  scope.startsWith('language:')
    ? scope.replace(':', '-')
    : `hljs-${scope
        .split('.')
        .map((word, at) => word + '_'.repeat(at))
        .join(' ')}`;

const partsOf = ({ children }: Token): ReactNode[] =>
  children.map((part, at) =>
    typeof part === 'string'
      ? part
      : createElement('span', { key: at, className: part.scope && classOf(part.scope) }, partsOf(part)),
  );

const highlighted = (language: string, text: string): ReactNode[] => {
  if (!highlighter.getLanguage(language)) return [text];
  const { errorRaised, _emitter } = highlighter.highlight(text, { language, ignoreIllegals: true });
  // After an error, the tree does not contain the rest of the text.
  return errorRaised ? [text] : partsOf((_emitter as unknown as { rootNode: Token }).rootNode);
};

/** Highlights code. Code in unknown languages stays plain. */
export default function Highlighted({ language, text }: { language: string; text: string }) {
  const parts = useMemo(() => highlighted(language, text), [language, text]);
  return <code>{parts}</code>;
}
