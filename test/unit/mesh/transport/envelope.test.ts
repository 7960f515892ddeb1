import { describe, expect, it } from 'vitest';
import { type Prompt, promptSchema } from '../../../../src-main/mesh/inference/messages.ts';
import { FRESHNESS_MS, ReplayGuard } from '../../../../src-main/mesh/serving/intake.ts';
import { isAuthentic, signEvidence } from '../../../../src-main/mesh/transport/envelope.ts';
import { identityFromSeed } from '../../../../src-main/mesh/transport/identity.ts';

const client = identityFromSeed(Buffer.alloc(32, 1));
const worker = identityFromSeed(Buffer.alloc(32, 2));

function prompt(): Prompt {
  return signEvidence<Prompt>(
    {
      type: 'prompt',
      requestId: 'ab'.repeat(16),
      worker: worker.id,
      model: undefined,
      input: { prompt: 'Grüße \u2028 👋' },
      params: { temperature: 0.1, seed: undefined },
      maxTokens: 5,
      deadlineMs: 1_000,
    },
    client,
    1_700_000_000_000,
  );
}

describe('a signed message', () => {
  it('is authentic after its way over the wire', () => {
    const received = promptSchema.parse(JSON.parse(JSON.stringify(prompt())));
    expect(isAuthentic(received)).toBe(true);
  });

  it('does not depend on the order of its fields', () => {
    const message = prompt();
    const reversed = Object.fromEntries(Object.entries(message).toReversed()) as Prompt;
    expect(isAuthentic(reversed)).toBe(true);
  });

  it.each([
    ['author', { from: worker.id }],
    ['content', { maxTokens: 6 }],
    ['addressee', { worker: client.id }],
    ['moment', { ts: 1_700_000_000_001 }],
    ['kind', { type: 'score-update' as 'prompt' }],
  ])('is not authentic with another %s', (_, change) => {
    expect(isAuthentic({ ...prompt(), ...change })).toBe(false);
  });
});

describe('half a character', () => {
  it('is none in a prompt, as it comes in', () => {
    const received = promptSchema.parse({ ...prompt(), input: { prompt: 'a\ud800' } });
    expect(received.input).toEqual({ prompt: 'a\ufffd' });
  });

  it('makes no signed message, and does not upset who reads it', () => {
    expect(isAuthentic({ ...prompt(), model: '\ud800' } as Prompt)).toBe(false);
  });
});

describe('the replay guard', () => {
  const message = { from: client.id, id: '00'.repeat(16), ts: 1_000_000 };

  it('lets a message through once', () => {
    const guard = new ReplayGuard();
    expect(guard.check(message, 1_000_000)).toBeUndefined();
    expect(guard.check(message, 1_000_001)).toBe('replayed');
    expect(guard.check({ ...message, from: worker.id }, 1_000_001)).toBeUndefined();
  });

  it('refuses what is too old or from the future', () => {
    const guard = new ReplayGuard();
    expect(guard.check(message, message.ts + FRESHNESS_MS + 1)).toBe('stale');
    expect(guard.check(message, message.ts - FRESHNESS_MS - 1)).toBe('stale');
  });

  it('remembers an id as long as its message is fresh', () => {
    const guard = new ReplayGuard();
    guard.check(message, message.ts - FRESHNESS_MS);
    expect(guard.check(message, message.ts + FRESHNESS_MS)).toBe('replayed');
  });

  it('forgets what is stale, and never remembers more than its capacity', () => {
    const guard = new ReplayGuard(100);
    for (let count = 0; count < 1_000; count++) guard.check({ ...message, id: String(count) }, message.ts);
    expect(guard.size).toBe(100);
    const later = message.ts + 3 * FRESHNESS_MS;
    guard.check({ ...message, ts: later }, later);
    expect(guard.size).toBe(1);
  });

  // One by one the first of many cost more than all that was to be done with them.
  it('forgets by halves what is over its capacity, and never the newer half', () => {
    const guard = new ReplayGuard(100);
    const check = (count: number) => guard.check({ ...message, id: String(count) }, message.ts);
    for (let count = 0; count < 100; count++) check(count);
    expect(guard.size).toBe(100);
    expect(check(0)).toBe('replayed');
    check(100);
    expect(guard.size).toBe(51);
    for (let count = 50; count <= 100; count++) expect(check(count)).toBe('replayed');
    expect(check(0)).toBeUndefined();
  });

  it('remembers ids that came apart, each as long as its message is fresh', () => {
    const guard = new ReplayGuard();
    const sent = Array.from({ length: 50 }, (_, count) => ({
      ...message,
      id: String(count),
      ts: message.ts + count * 30_000,
    }));
    for (const one of sent) {
      const early = one.ts - FRESHNESS_MS;
      expect(guard.check(one, early)).toBeUndefined();
      const fresh = sent.filter(({ ts }) => ts <= one.ts && ts >= early - FRESHNESS_MS);
      for (const earlier of fresh) expect(guard.check(earlier, early)).toBe('replayed');
    }
    expect(guard.size).toBeLessThan(20);
  });
});
