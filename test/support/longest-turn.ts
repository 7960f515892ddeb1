/**
 * Watches how long this thread computes before others have a turn. Counted is time on the processor: a machine with much else to do is no fault.
 * @returns what ends that, and gives the longest turn so far, in milliseconds
 */
export function longestTurn(): () => number {
  let longest = 0;
  let before = process.threadCpuUsage();
  let next = setImmediate(look);
  function look(): void {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
    before = process.threadCpuUsage();
    next = setImmediate(look);
  }
  return () => {
    clearImmediate(next);
    return longest;
  };
}
