export { useNamed } from './useNamed.tsx';
