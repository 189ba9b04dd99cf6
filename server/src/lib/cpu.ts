/**
 * Milliseconds of CPU that this thread has used. Measures work where the time of the clock would also count what other programs
 * of a busy machine do meanwhile.
 */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
