import { afterAll, vi } from 'vitest';

// The next file runs in the same process, and knows nothing of this one.
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
