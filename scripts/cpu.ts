import { readFileSync } from 'node:fs';

/** Of proc(5): the system counts in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/**
 * The seconds of processor time that a process and those children of it that have ended have used; 0 where the system
 * does not tell, as all but Linux.
 */
export function cpuSeconds(process: 'self' | number = 'self'): number {
  let line: string;
  try {
    line = readFileSync(`/proc/${process}/stat`, 'utf8');
  } catch {
    return 0;
  }
  // After the name, which may hold spaces: utime, stime, cutime and cstime are the 14th to 17th field.
  const ticks = line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15);
  return ticks.reduce((sum, each) => sum + Number(each), 0) / TICKS_PER_SECOND;
}
