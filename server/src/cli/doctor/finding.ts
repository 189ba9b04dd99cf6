/** The result of one check of `palaver doctor`. */
export interface Finding {
  check: string;
  ok: boolean;
  message: string;
}

/** Runs a check. The finding contains the message that the check returns or throws. */
export async function attempt(check: string, run: () => string | Promise<string>): Promise<Finding> {
  try {
    return { check, ok: true, message: await run() };
  } catch (error) {
    return { check, ok: false, message: (error as Error).message };
  }
}

/** Measures the latency of a query in milliseconds: the median of five runs. */
export async function latencyOf(ask: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < 5; count++) {
    const start = performance.now();
    await ask();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[2] as number;
}

/** Formats milliseconds. */
export const inWords = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
