export { commandsOf } from '../commandList.ts';
export { act } from '../own.ts';
export { keepUsed } from '../used.ts';
