export { Attachments, Lightbox } from './Attachments.tsx';
export { alone } from './box.ts';
export { Picture } from './Picture.tsx';
