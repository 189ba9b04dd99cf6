const PERIOD_MS = 100;
const CLEAR_LINE = '\r\x1b[K';

/** Told what a long command does; text that ends with a line break stays on the terminal. */
export type TellStep = (step: string) => void;

/** Runs something long. On a terminal, one line of standard error tells its current step. */
export async function onTerminal<T>(run: (tell: TellStep) => Promise<T>): Promise<T> {
  const { isTTY } = process.stderr;
  let shownAt = 0;
  try {
    return await run((step) => {
      const stays = step.endsWith('\n');
      if (!isTTY || (!stays && Date.now() - shownAt < PERIOD_MS)) return;
      shownAt = Date.now();
      process.stderr.write(`${CLEAR_LINE}${step}`);
    });
  } finally {
    if (isTTY) process.stderr.write(CLEAR_LINE);
  }
}
