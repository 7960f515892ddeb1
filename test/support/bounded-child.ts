import { runBounded } from '../../src-main/clips/media/bounded-program.ts';

/** Runs a program that waits, and says which process it is: until somebody kills this one. */
await runBounded({
  program: 'sh',
  args: ['-c', 'echo $$; exec sleep 1000'],
  bounds: { cpuSeconds: 60, wallSeconds: 1_000, memoryMiB: 500, outputBytes: 1_000, fileBytes: 0 },
  signal: new AbortController().signal,
  onOutput: (bytes) => process.stdout.write(bytes),
});
