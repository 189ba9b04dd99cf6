export { firstLine, foundText, lineText, shownName } from '../../../server/src/lib/text/index.ts';
export { Markdown, type Named } from './Markdown.tsx';
export { useEntities } from './useEntities.ts';
