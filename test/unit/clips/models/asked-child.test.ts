import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AskedChild, type ChildTimes } from '../../../../src-main/clips/models/asked-child.ts';
import type { ChildListeners, ProcessSpawner } from '../../../../src-main/process/process-spawner.ts';
import { say } from '../../../../src-preload/contract/saying.ts';

const never = new AbortController().signal;
const messages = z.union([
  z.strictObject({ id: z.number(), done: z.string() }),
  z.strictObject({ id: z.number(), failed: z.object({ code: z.literal('BAD_REQUEST'), message: z.string() }) }),
]);
type Report = z.infer<typeof messages>;

/** A process that is none: the test says what it says. */
class Double {
  readonly told: { id?: number; what?: string }[] = [];
  readonly listeners: ChildListeners;
  isGone = false;

  constructor(listeners: ChildListeners) {
    this.listeners = listeners;
  }

  says(message: object): void {
    this.listeners.onMessage(message);
  }

  dies(): void {
    if (this.isGone) return;
    this.isGone = true;
    setImmediate(() => this.listeners.onExit({ code: 1, signal: null }));
  }
}

const doubles: Double[] = [];
const spawner: ProcessSpawner = {
  spawn: (_, listeners) => {
    const double = new Double(listeners);
    doubles.push(double);
    return { pid: doubles.length, send: (message) => double.told.push(message), kill: () => double.dies() };
  },
};
const asked = (times: ChildTimes = {}) =>
  new AskedChild<Report>({
    ...{ spawner, messages, ...times },
    launch: { name: 'the double', run: new URL('file:///nowhere'), env: {} },
    greeting: { what: 'hello' },
    died: (reason) => say('clipModels.died', { reason }),
  });
const last = () => doubles.at(-1) as Double;
const toldTo = (double: Double, count: number) => expect.poll(() => double.told.length).toBe(count);

let child: AskedChild<Report>;
afterEach(async () => {
  await child.close();
  doubles.length = 0;
});

describe('a process that is asked one thing after another', () => {
  it('is started with the first question, greeted, and asked the next one after the answer', async () => {
    child = asked();
    expect(doubles).toHaveLength(0);
    const first = child.ask([{ what: 'part' }, { what: 'one' }], never);
    const second = child.ask([{ what: 'two' }], never);
    await expect.poll(() => doubles.length).toBe(1);
    await toldTo(last(), 3);
    expect(last().told).toEqual([{ what: 'hello' }, { what: 'part', id: 1 }, { what: 'one', id: 1 }]);
    last().says({ id: 1, done: 'first' });
    expect(await first).toEqual({ id: 1, done: 'first' });
    await toldTo(last(), 4);
    last().says({ id: 2, failed: { code: 'BAD_REQUEST', message: 'No.' } });
    await expect(second).rejects.toMatchObject({ code: 'BAD_REQUEST', message: 'No.' });
  });

  it('fails the question in which it dies, even while it is still being told, and is started anew', async () => {
    child = asked();
    const parts = function* () {
      yield { what: 'part' };
      last().dies();
      for (let at = 0; at < 5; at++) yield { what: 'more' };
    };
    await expect(child.ask(parts(), never)).rejects.toMatchObject({ code: 'ENGINE_CRASHED', retryable: true });
    const again = child.ask([{ what: 'again' }], never);
    await expect.poll(() => doubles.length).toBe(2);
    await toldTo(last(), 2);
    last().says({ id: 2, done: 'again' });
    expect(await again).toMatchObject({ done: 'again' });
  });

  it('is left alone for a while where it dies again and again', async () => {
    child = asked();
    for (let times = 0; times < 3; times++) {
      const question = child.ask([{ what: 'one' }], never);
      await expect.poll(() => doubles.length).toBe(times + 1);
      last().dies();
      await expect(question).rejects.toMatchObject({ code: 'ENGINE_CRASHED' });
    }
    const resting = { code: 'ENGINE_UNAVAILABLE', retryable: true, retryAfterMs: expect.any(Number) };
    await expect(child.ask([{ what: 'one' }], never)).rejects.toMatchObject(resting);
    expect(doubles).toHaveLength(3);
  });

  it('is ended where it says nothing for too long, or what it should not', async () => {
    child = asked({ mostMs: 20 });
    await expect(child.ask([{ what: 'one' }], never)).rejects.toMatchObject({ code: 'ENGINE_CRASHED' });
    const question = child.ask([{ what: 'two' }], never);
    await expect.poll(() => doubles.length).toBe(2);
    last().says({ id: 2, nonsense: true });
    await expect(question).rejects.toMatchObject({ code: 'ENGINE_CRASHED' });
  });

  it('is asked nothing for whoever has gone', async () => {
    child = asked();
    const leaving = new AbortController();
    const first = child.ask([{ what: 'one' }], never);
    const second = child.ask([{ what: 'two' }], leaving.signal);
    leaving.abort();
    await expect(second).rejects.toMatchObject({ code: 'CANCELLED' });
    await expect.poll(() => doubles.length).toBe(1);
    last().says({ id: 1, done: 'first' });
    await first;
    const third = child.ask([{ what: 'three' }], never);
    await toldTo(last(), 3);
    expect(last().told.at(-1)).toEqual({ what: 'three', id: 2 });
    last().says({ id: 2, done: 'third' });
    await third;
  });

  it('ends with whoever closes it, who may do so twice', async () => {
    child = asked();
    const question = child.ask([{ what: 'one' }], never);
    await expect.poll(() => doubles.length).toBe(1);
    await Promise.all([child.close(), child.close(), expect(question).rejects.toMatchObject({ code: 'CANCELLED' })]);
    expect(last().isGone).toBe(true);
    await expect(child.ask([{ what: 'two' }], never)).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});
