export { Closed, ruleInWords } from './Closed.tsx';
export { Note } from './Note.tsx';
export { Create, Group, Page } from './Page.tsx';
export { PageToCome } from './PageToCome.tsx';
export { PictureField } from './PictureField.tsx';
export { pagesOf } from './pagesOf.ts';
export { Facts, nothingFound, Row, Rows } from './Rows.tsx';
export { Sections } from './Sections.tsx';
export { FoundRows, useFind } from './useFind.tsx';
