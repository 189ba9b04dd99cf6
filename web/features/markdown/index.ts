export { firstLine, foundText, lineText } from '../../../server/src/lib/text/index.ts';
export { Markdown, type Named } from './Markdown.tsx';
export { useEntities } from './useEntities.ts';
