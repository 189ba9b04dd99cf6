export { useLog } from './useLog.ts';
