import { describe, expect, it } from 'vitest';
import { BucketMap, TokenBucket } from '../../../src-main/base/token-bucket.ts';

describe('a token bucket', () => {
  it('lets a burst through, then the rate', () => {
    const bucket = new TokenBucket(10, 3, 0);
    expect([1, 2, 3, 4].map(() => bucket.take(1, 0))).toEqual([true, true, true, false]);
    expect(bucket.waitMs(1, 0)).toBe(100);
    expect(bucket.take(1, 99)).toBe(false);
    expect(bucket.take(1, 100)).toBe(true);
  });

  it('does not give anything for a clock that is set back', () => {
    const bucket = new TokenBucket(10, 1, 1_000);
    bucket.take(1, 1_000);
    expect(bucket.take(1, 0)).toBe(false);
  });

  it('gives nothing for a clock that is set back and right again, and meanwhile goes on', () => {
    const bucket = new TokenBucket(10, 3, 100_000);
    bucket.take(3, 100_000);
    expect([bucket.take(1, 0), bucket.take(1, 100)]).toEqual([false, true]);
    expect([bucket.take(1, 100_000), bucket.take(1, 100_100)]).toEqual([false, true]);
  });

  it('lets a debt be made, for which those who come later wait', () => {
    const bucket = new TokenBucket(10, 3, 0);
    bucket.spend(8, 0);
    expect([bucket.debt(0), bucket.waitMs(0, 0), bucket.waitMs(1, 0)]).toEqual([5, 500, 600]);
    expect([bucket.debt(500), bucket.waitMs(0, 500), bucket.take(1, 500)]).toEqual([0, 0, false]);
    expect(new TokenBucket(10, 3, 0, -2).waitMs(0, 0)).toBe(200);
  });
});

describe('a map of buckets', () => {
  it('is bounded: idle keys make room, busy ones do not', () => {
    const map = new BucketMap(2);
    map.get('a', 1, 1, 0)?.take(1, 0);
    map.get('b', 1, 1, 0)?.take(1, 0);
    expect(map.get('c', 1, 1, 500)).toBeUndefined();
    expect(map.get('c', 1, 1, 1_500)).toBeDefined();
    expect(map.size).toBe(1);
  });

  it('that is full looks for idle keys once a second, and after its clock was set back', () => {
    const map = new BucketMap(1);
    map.get('a', 100, 1, 0)?.take(1, 0);
    expect(map.get('b', 1, 1, 0)).toBeUndefined();
    expect(map.get('b', 1, 1, 999)).toBeUndefined();
    expect(map.get('b', 1, 1, 1_000)).toBeDefined();
    expect(map.get('c', 1, 1, 500)).toBeDefined();
  });
});
