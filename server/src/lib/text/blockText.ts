import { lineText } from './text.ts';

/** The parts of a message's blocks that contain text. */
type Blocks = readonly {
  type: string;
  text?: string;
  alt?: string;
  title?: string;
  tasks?: readonly { text: string }[];
  elements?: readonly { text?: string; placeholder?: string }[];
}[];

/**
 * Returns the plain text of a message's blocks on one line, for notifications and previews of a message
 * without content: the texts of the blocks or, if no block has a text, of their buttons and other controls.
 */
export function blockText(blocks: Blocks | null | undefined): string {
  const texts = (blocks ?? []).map(({ type, text, alt, title, tasks = [] }) =>
    type === 'taskList'
      ? [title, ...tasks.map(({ text }) => text)].filter(Boolean).join(', ')
      : type === 'image'
        ? alt
        : text && lineText(text),
  );
  const found = texts.filter(Boolean).join(' ');
  if (found !== '') return found;
  const controls = (blocks ?? []).flatMap(({ elements = [] }) =>
    elements.map((one) => one.text ?? one.placeholder),
  );
  return controls.filter(Boolean).join(' · ');
}
