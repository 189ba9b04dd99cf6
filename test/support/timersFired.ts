import { createHook } from 'node:async_hooks';
import { writeFileSync } from 'node:fs';

// Preloaded into a process. On SIGUSR2, it writes how many timers have fired so far to the file TIMERS_FIRED.

const timers = new Set<number>();
let fired = 0;

createHook({
  init(id, type) {
    if (type === 'Timeout') timers.add(id);
  },
  before(id) {
    if (timers.has(id)) fired++;
  },
  destroy(id) {
    timers.delete(id);
  },
}).enable();
process.on('SIGUSR2', () => writeFileSync(process.env.TIMERS_FIRED as string, `${fired}\n`));
