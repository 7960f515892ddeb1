import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { PATIENCE_MS } from './test/support/patience.ts';

const END_TO_END = 'test/e2e/**/*.test.ts';
const ELECTRON = 'test/electron/**/*.test.ts';
const MOCKED = 'test/unit/**/*.mocked.test.ts';
const SHARED = {
  isolate: false,
  setupFiles: ['test/support/quick-children.ts', 'test/support/as-before.ts'],
};
const BUILT = { globalSetup: ['test/support/build-app.ts'] };

// For the processes that run tests, and those that tests start: compiling all sources anew takes each of them up to a second.
process.env.NODE_COMPILE_CACHE ??= resolve(import.meta.dirname, 'node_modules/.cache/quarry-tests');

/** Which tests run, by mode. Without one here, as with `--mode all`: all that are named. */
const TAGS: Record<string, string[]> = { test: ['!long'], long: ['long'] };

export default defineConfig(({ mode }) => ({
  test: {
    env: {
      // `vitest --mode heavy`: ten times as many rounds of killing; `--mode fuzz`: four hundred times as many inputs, a million.
      ...(mode === 'heavy' && { QUARRY_TEST_ROUNDS: '10' }),
      ...(mode === 'fuzz' && { QUARRY_FUZZ_TIMES: '400' }),
      // `vitest --mode interop`: beside Bittensor's own software, which is fetched from PyPI.
      ...(mode === 'interop' && { QUARRY_INTEROP: '1' }),
      // `vitest --mode learning`: a real model learns, for some minutes, and is compared with llama.cpp in every way.
      ...(mode === 'learning' && { QUARRY_TEST_LEARNING: '1' }),
    },
    tags: [
      { name: 'long', description: 'takes long, and is rarely at fault where nothing else is: `npm run test:long`' },
      {
        name: 'seldom',
        description: 'long, and of what seldom changes: the gate, which has half an hour, always leaves it out',
      },
    ],
    tagsFilter: TAGS[mode] ?? [],
    pool: 'forks',
    setupFiles: ['test/support/quick-children.ts'],
    // Two cores are the smallest machine we promise to test on. A third of the tests' time is spent waiting: more than there are cores.
    maxWorkers: 4,
    // For what hangs. A machine with much else to do may be ten times slower than an idle one, and is no failure.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    sequence: { sequencer: LongestFirst },
    expect: { poll: { timeout: PATIENCE_MS, interval: 10 } },
    reporters: process.env.CI ? ['default', ['json', { outputFile: 'test-results/vitest.json' }]] : ['default'],
    // What runs in child processes (engine, commands) and in a browser (the screens) is not seen.
    coverage: {
      provider: 'v8',
      include: ['src-main/**/*.ts', 'src-preload/**/*.ts'],
      reporter: ['json-summary'],
      reportOnFailure: true,
    },
    projects: [
      // One process for many files: what they import is read once. Each ends its own servers, timers and files.
      { extends: true, test: { name: 'unit', include: ['test/unit/**/*.test.ts'], exclude: [MOCKED], ...SHARED } },
      { extends: true, test: { name: 'integration', include: ['test/integration/**/*.test.ts'], ...SHARED } },
      // A process for each file: they put other modules in the place of real ones.
      { extends: true, test: { name: 'mocked', include: ['test/fuzz/**/*.test.ts', MOCKED] } },
      // A chain of Bittensor, made from a genesis that is not ours.
      { extends: true, test: { name: 'chain', include: ['test/chain/**/*.test.ts'] } },
      // The built app in a real browser, and on a double of Electron.
      { extends: true, test: { name: 'e2e', include: [END_TO_END], ...BUILT, ...SHARED } },
      // In the real Electron, wherever it can be had.
      { extends: true, test: { name: 'electron', include: [ELECTRON], ...BUILT } },
    ],
  },
}));
