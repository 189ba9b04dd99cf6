export { openThreadOf } from './open.ts';
