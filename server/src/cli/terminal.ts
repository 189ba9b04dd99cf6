const UPDATE_INTERVAL_MS = 100;
const CLEAR_LINE = '\r\x1b[K';

/** Shows the current step of a long command. Text that ends with a line break stays on the terminal. */
export type TellStep = (step: string) => void;

/** Runs a long command. If standard error is a terminal, its last line shows the current step. */
export async function onTerminal<T>(run: (tell: TellStep) => Promise<T>): Promise<T> {
  const { isTTY } = process.stderr;
  let shownAt = 0;
  try {
    return await run((step) => {
      const stays = step.endsWith('\n');
      if (!isTTY || (!stays && Date.now() - shownAt < UPDATE_INTERVAL_MS)) return;
      shownAt = Date.now();
      process.stderr.write(`${CLEAR_LINE}${step}`);
    });
  } finally {
    if (isTTY) process.stderr.write(CLEAR_LINE);
  }
}
