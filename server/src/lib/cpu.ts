/**
 * CPU time that this thread has used, in milliseconds. Wall time would include whatever other processes do on
 * a busy machine.
 */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
