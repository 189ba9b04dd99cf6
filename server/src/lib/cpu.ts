/**
 * Returns the CPU time that this thread has used, in milliseconds. Wall time would include other processes'
 * work on a busy machine.
 */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
