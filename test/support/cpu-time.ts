/** Milliseconds on the processor that a work takes in this thread: a machine with much else to do is no fault. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
