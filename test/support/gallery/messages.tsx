import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { Markdown } from '../../../web/features/markdown/index.ts';

// Renders messages as the client does, for test/browser/web/text.test.ts.

/** The page has no custom emoji. */
const named = (mark: string, name: string, tail: string) =>
  mark === ':' ? undefined : <b className="name">{mark + name + tail}</b>;

/**
 * Renders a message, and reads its names, its links and its text. The text includes the numbers of list
 * items, but no whitespace, buttons or hosts next to links.
 */
function shown(content: string) {
  const place = document.createElement('div');
  flushSync(() => createRoot(place).render(<Markdown content={content} named={named} />));
  const all = (selector: string) => [...place.querySelectorAll(selector)];
  const names = all('.name').map((one) => one.textContent);
  const links = all('a').map((one) => one.getAttribute('href'));
  for (const one of all('.markdown-code-tools, .markdown-host, .markdown-long > button')) one.remove();
  for (const list of place.querySelectorAll('ol'))
    for (const [at, item] of [...list.children].entries())
      if (!item.classList.contains('markdown-task')) item.prepend(`${list.start + at}.`);
  return { names, links, text: place.textContent.replace(/\s/g, '') };
}

Object.assign(globalThis, { shown });
