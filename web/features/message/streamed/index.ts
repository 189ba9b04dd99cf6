export { Stop } from './Stop.tsx';
export { completed } from './unfinished.ts';
