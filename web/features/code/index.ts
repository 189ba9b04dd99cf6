export { Code } from './Code.tsx';
