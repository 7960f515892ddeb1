import { describe, expect, it } from 'vitest';
import type { Prompt } from '../../../../../src-main/mesh/inference/messages.ts';
import { Intake } from '../../../../../src-main/mesh/serving/intake.ts';
import { Admission, type Conditions } from '../../../../../src-main/mesh/serving/queue/admission.ts';
import { ServiceTime } from '../../../../../src-main/mesh/serving/queue/service-time.ts';
import { authenticHash, signEvidence } from '../../../../../src-main/mesh/transport/envelope.ts';
import { identityFromSeed } from '../../../../../src-main/mesh/transport/identity.ts';

const model = { name: 'm', contextSize: 1, parallel: 1, device: 'cpu' };
const good: Conditions = {
  health: { score: 90, state: 'idle', capacity: 100, accepting: true },
  backend: { state: 'ready', model, active: 0, waiting: 0 },
  others: [],
  waiting: 0,
  queueCapacity: 10,
};

describe('admission', () => {
  it.each<[string, Partial<Conditions>, string]>([
    ['health says no', { health: { ...good.health, accepting: false, reason: 'It is too hot.' } }, 'OVERLOADED'],
    [
      'its health sees a full queue',
      { health: { ...good.health, accepting: false, refusal: 'queue-full' } },
      'QUEUE_FULL',
    ],
    ['the engine is away', { backend: { ...good.backend, state: 'restarting' } }, 'ENGINE_UNAVAILABLE'],
    ['it has another model', { backend: { ...good.backend, model: { ...model, name: 'n' } } }, 'MODEL_NOT_FOUND'],
    [
      'its model makes embeddings only',
      { backend: { ...good.backend, model: { ...model, embedsOnly: true } } },
      'MODEL_NOT_FOUND',
    ],
    ['the queue is full', { waiting: 10 }, 'QUEUE_FULL'],
    ['the queue is full for its health', { waiting: 4, health: { ...good.health, capacity: 40 } }, 'QUEUE_FULL'],
  ])('refuses when %s', (_, change, code) => {
    const admission = new Admission();
    expect(() => admission.checkConditions({ model: 'm' }, good)).not.toThrow();
    expect(() => admission.checkConditions({ model: 'm' }, { ...good, ...change })).toThrow(
      expect.objectContaining({ code, retryable: true }),
    );
  });

  it('lets in who asks for another model that is offered', () => {
    const admission = new Admission();
    const offered = { ...good, others: ['second'] };
    for (const model of ['m', 'second', undefined])
      expect(() => admission.checkConditions({ model }, offered)).not.toThrow();
    expect(() => admission.checkConditions({ model: 'third' }, offered)).toThrow(
      expect.objectContaining({ code: 'MODEL_NOT_FOUND', message: 'The worker serves m, second, not third.' }),
    );
  });

  it('counts requests by client and tier, and says when to come back', () => {
    const admission = new Admission({ newcomer: 2, gold: 3 });
    const newcomer = { tier: 'newcomer' } as const;
    admission.countAgainstRate('x', newcomer, 0);
    admission.countAgainstRate('x', newcomer, 0);
    expect(() => admission.countAgainstRate('x', newcomer, 0)).toThrow(
      expect.objectContaining({ code: 'RATE_LIMIT', retryAfterMs: 30_000 }),
    );
    expect(() => admission.countAgainstRate('y', newcomer, 0)).not.toThrow();
    expect(() => admission.countAgainstRate('x', { tier: 'gold' }, 0)).not.toThrow();
    expect(() => admission.countAgainstRate('x', newcomer, 30_000)).not.toThrow();
  });
});

describe('intake', () => {
  const client = identityFromSeed(Buffer.alloc(32, 1));
  const worker = identityFromSeed(Buffer.alloc(32, 2));
  const prompt = (to = worker.id, now = 0): Prompt =>
    signEvidence<Prompt>(
      {
        type: 'prompt',
        requestId: 'ab'.repeat(16),
        worker: to,
        input: { prompt: 'x' },
        params: {},
        maxTokens: 1,
        deadlineMs: 1,
      },
      client,
      now,
    );

  it('takes a genuine prompt once', () => {
    const intake = new Intake(worker.id);
    const message = prompt();
    expect(intake.check(message, client.id, 0)).toEqual({ hash: authenticHash(message) });
    expect(intake.check(message, client.id, 0)).toMatchObject({ offence: 'replay' });
  });

  it('takes none for another worker, of another client, or changed on the way', () => {
    const intake = new Intake(worker.id);
    expect(intake.check(prompt(client.id), client.id, 0)).toMatchObject({ offence: 'wrong signature' });
    expect(intake.check(prompt(), worker.id, 0)).toMatchObject({ offence: 'wrong signature' });
    expect(intake.check(Object.assign(prompt(), { maxTokens: 2 }), client.id, 0)).toMatchObject({
      offence: 'wrong signature',
    });
  });

  it('explains a wrong clock instead of punishing it', () => {
    const verdict = new Intake(worker.id).check(prompt(worker.id, 0), client.id, 300_000);
    expect(verdict).toMatchObject({ refusal: { code: 'BAD_REQUEST', field: 'ts' } });
    expect('refusal' in verdict && verdict.refusal.message).toContain('300 s behind');
  });
});

describe('the expected wait', () => {
  it('is nothing while a place is free', () => {
    expect(new ServiceTime().expectedWaitMs(0, 1, 2)).toBe(0);
  });

  it('follows from what ran before: with two at a time, one ends every half service time', () => {
    const service = new ServiceTime();
    service.record(1_000, 50);
    expect([0, 1, 2].map((ahead) => service.expectedWaitMs(ahead, 2, 2))).toEqual([500, 1_000, 1_500]);
  });

  it('moves with the times', () => {
    const service = new ServiceTime();
    service.record(1_000, 50);
    service.record(2_000, 0);
    expect(service.averageMs).toBe(1_200);
    expect(service.tokensPerSecond).toBe(50);
  });
});
