export { Typing } from './Typing.tsx';
