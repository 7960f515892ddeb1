import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/**
 * Watches how long this thread computes before others have a turn. Counted is time on the processor: a machine with much else to do is no fault.
 * So is what files before this one have left in the process's memory: it is collected first.
 * @returns what ends that, and gives the longest turn so far and the time of all turns, in milliseconds. A part of the whole says more than
 *   milliseconds, which are longer on a slow processor.
 */
export function longestTurn(): () => { longest: number; all: number } {
  collect();
  let longest = 0;
  const begun = process.threadCpuUsage();
  let before = begun;
  let next = setImmediate(look);
  function look(): void {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
    before = process.threadCpuUsage();
    next = setImmediate(look);
  }
  return () => {
    clearImmediate(next);
    const { user, system } = process.threadCpuUsage(begun);
    return { longest, all: (user + system) / 1_000 };
  };
}
