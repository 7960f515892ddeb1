/** The thread of a RunningHash: hashes an open file up to where it is told that bytes are, and at last tells the hash. */
import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { HashOrder } from './running-hash.ts';

const descriptor: number = workerData;
const hash = createHash('sha256');
const buffer = Buffer.allocUnsafeSlow(1 << 20);
let hashed = 0;

parentPort?.on('message', ({ goal, last }: HashOrder) => {
  while (hashed < goal) {
    const bytes = readSync(descriptor, buffer, 0, Math.min(buffer.length, goal - hashed), hashed);
    if (bytes === 0) throw new Error(`the file ends after ${hashed} bytes`);
    hash.update(buffer.subarray(0, bytes));
    hashed += bytes;
  }
  if (last) parentPort?.postMessage(hash.digest('hex'));
});
