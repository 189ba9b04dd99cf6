export { shownName, textOfInlines } from './inlineText.ts';
export { linksIn } from './links.ts';
export { isName, mentionsIn } from './mentions.ts';
export { isVisible, parseMessage } from './message.ts';
export { mayBeginName } from './names.ts';
export type { Block, Inline } from './nodes.ts';
export { firstLine, foundText, lineText } from './text.ts';
