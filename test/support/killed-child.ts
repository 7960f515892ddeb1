import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';

/** Starts a program of the tests that is going to be killed: by its test, or when that ends without having come so far. */
export function startChild(file: string, args: readonly string[]): ChildProcessByStdio<null, Readable, null> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}
