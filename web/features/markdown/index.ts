export { lex, type Token, textOf } from './lex.ts';
export { Markdown, type Named } from './Markdown.tsx';
