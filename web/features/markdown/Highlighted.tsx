import { common, createLowlight } from 'lowlight';
import { createElement, type ReactNode, useMemo } from 'react';
import './Highlighted.css';

const lowlight = createLowlight(common);

type Tree = ReturnType<typeof lowlight.highlight>;
type Part = Tree['children'][number];

const partsOf = (parts: readonly Part[]): ReactNode[] =>
  parts.map((part, at) => {
    if (part.type === 'text') return part.value;
    if (part.type !== 'element') return null;
    const { className } = part.properties;
    const names = Array.isArray(className) ? className.join(' ') : undefined;
    return createElement('span', { key: at, className: names }, partsOf(part.children));
  });

/** Highlighted code; unknown languages stay plain. */
export default function Highlighted({ language, text }: { language: string; text: string }) {
  const parts = useMemo(
    () => (lowlight.registered(language) ? partsOf(lowlight.highlight(language, text).children) : [text]),
    [language, text],
  );
  return <code>{parts}</code>;
}
