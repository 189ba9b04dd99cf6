export { default as Editor, type NewFields } from './Editor.tsx';
