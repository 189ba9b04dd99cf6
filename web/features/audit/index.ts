export { type Log, useLog } from './useLog.ts';
