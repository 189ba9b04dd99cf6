export { fold } from '../../server/src/lib/text/fold.ts';
