/** The result of one look of `palaver doctor`. */
export interface Finding {
  check: string;
  ok: boolean;
  message: string;
}

/** Turns a look into a finding: its message, or the message of what it throws. */
export async function attempt(check: string, look: () => string | Promise<string>): Promise<Finding> {
  try {
    return { check, ok: true, message: await look() };
  } catch (error) {
    return { check, ok: false, message: (error as Error).message };
  }
}

/** Milliseconds that a question takes: the median of five. */
export async function latencyOf(ask: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let asked = 0; asked < 5; asked++) {
    const start = performance.now();
    await ask();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[2] as number;
}

/** Milliseconds in words. */
export const inWords = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
