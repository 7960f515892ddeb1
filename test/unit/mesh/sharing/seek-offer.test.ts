import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { seekOffers } from '../../../../src-main/mesh/sharing/seek-offer.ts';

interface Offer {
  file: string;
  trusted: boolean;
}
const STRANGE = { file: 'a', trusted: false };
const OTHER = { file: 'b', trusted: false };
const VOUCHED = { file: 'c', trusted: true };

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 0 }));
afterEach(() => void vi.useRealTimers());

/** What is sought while others say this after so many milliseconds, and when it was found. */
async function sought(at: (ms: number) => Offer[], means: (offer: Offer) => boolean = () => true) {
  const look = async (waitMs: number) => {
    vi.setSystemTime(Date.now() + waitMs);
    return at(Date.now());
  };
  return { found: await seekOffers(look, means), ms: Date.now() };
}

it('what a trusted signer offers is found at once', async () => {
  expect(await sought(() => [STRANGE, VOUCHED])).toEqual({ found: [VOUCHED], ms: 200 });
});

it('a trusted signer who is heard after a stranger comes before him', async () => {
  const { found } = await sought((ms) => (ms < 700 ? [STRANGE] : [STRANGE, VOUCHED]));
  expect(found).toEqual([VOUCHED]);
});

it('what strangers offer is all that was heard a while after the first of them', async () => {
  const { found, ms } = await sought((ms) => (ms < 1_000 ? [] : ms < 3_000 ? [STRANGE] : [STRANGE, OTHER]));
  expect(found).toEqual([STRANGE, OTHER]);
  expect(ms).toBe(4_000);
});

it('a stranger who is heard last is waited on as long', async () => {
  const { found } = await sought((ms) => (ms < 7_800 ? [] : ms < 10_000 ? [STRANGE] : [STRANGE, VOUCHED]));
  expect(found).toEqual([VOUCHED]);
});

it('nothing is found where nobody offers what is meant', async () => {
  const { found, ms } = await sought(
    () => [STRANGE, VOUCHED],
    ({ file }) => file === 'd',
  );
  expect([found, ms]).toEqual([[], 8_000]);
});
