import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Bytes of the heap that are in use when everything that nobody needs any more is gone. */
export function heapAfterCollecting(): number {
  collect();
  return process.memoryUsage().heapUsed;
}
