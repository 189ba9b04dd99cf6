export { Composer } from './Composer.tsx';
export { startReply } from './replying/index.ts';
