export { Note } from './Note.tsx';
export { Group, Page } from './Page.tsx';
export { PageToCome } from './PageToCome.tsx';
export { PictureField } from './PictureField.tsx';
export { Facts, Row, Rows } from './Rows.tsx';
export { Sections } from './Sections.tsx';
