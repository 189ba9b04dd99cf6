const UPDATE_INTERVAL_MS = 100;
/** Interval of the progress lines if standard error is not a terminal. */
const LINE_INTERVAL_MS = 5_000;
const CLEAR_LINE = '\r\x1b[K';

/**
 * A callback that shows the current step of a long command. Text that ends with a line break stays on the
 * terminal.
 */
export type TellStep = (step: string) => void;

/**
 * Runs a long command. If standard error is a terminal, its last line shows the current step; otherwise, a
 * line every five seconds does.
 */
export async function onTerminal<T>(run: (tell: TellStep) => Promise<T>): Promise<T> {
  const { isTTY } = process.stderr;
  let shownAt = isTTY ? 0 : Date.now();
  try {
    return await run((step) => {
      const stays = step.endsWith('\n');
      const interval = isTTY ? UPDATE_INTERVAL_MS : LINE_INTERVAL_MS;
      if (stays ? !isTTY : Date.now() - shownAt < interval) return;
      shownAt = Date.now();
      process.stderr.write(isTTY ? `${CLEAR_LINE}${step}` : `${step}\n`);
    });
  } finally {
    if (isTTY) process.stderr.write(CLEAR_LINE);
  }
}

/** Shows the progress of a step in percent. */
export const percent =
  (tell: TellStep, step: string) =>
  (done: number, total: number): void =>
    tell(
      `${step}: ${total > 0 ? Math.floor((100 * done) / total) : 100} % of ${Math.ceil(total / 1_000_000)} MB`,
    );
