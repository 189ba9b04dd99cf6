export { useAnswered } from './answered.ts';
export { type Doing, DoingContext } from './doing.ts';
export { MessageRow } from './MessageRow.tsx';
