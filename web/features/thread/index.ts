export { openThreadOf } from './open.ts';
export { setTarget } from './target.ts';
