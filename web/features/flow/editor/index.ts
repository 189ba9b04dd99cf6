export { default as Editor } from './Editor.tsx';
export type { NewFields } from './newFields.ts';
