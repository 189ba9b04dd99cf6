export { useSecrets } from './useSecrets.ts';
