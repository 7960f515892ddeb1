import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { CheckedChild } from '../../../src-main/process/checked-child.ts';
import { type Launch, nodeSpawner } from '../../../src-main/process/process-spawner.ts';
import { Unread } from '../../../src-main/process/unread.ts';
import { sentence, type Words } from '../../../src-preload/contract/saying.ts';
import { isRunning } from '../../support/engine.ts';
import { OBEDIENT_CHILD } from '../../support/spawner-contract.ts';

const MIB = 1024 * 1024;
/** Of a little more than a mebibyte. */
const LARGE = { text: 'x'.repeat(MIB) };
const nested = (levels: number): unknown => {
  let value: unknown = 1;
  for (let each = 0; each < levels; each++) value = [value];
  return value;
};
const REFUSED = { code: 'OVERLOADED', retryable: true, hint: 'Send it again in a moment.' };

describe('what waits to be read by a child', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function unread(limits = {}) {
    const told: string[] = [];
    return { made: new Unread(limits, (why) => told.push(sentence(why))), told };
  }

  it('is bounded, and has room again when some of it was read', () => {
    const { made } = unread({ unreadMiB: 2 });
    const taken = [made.add(LARGE), made.add(LARGE)];
    expect(() => made.add(LARGE)).toThrow(expect.objectContaining(REFUSED));
    expect(() => made.add(LARGE)).toThrow('2.1 MB that were sent before have not been read yet.');
    taken[0]?.();
    expect(made.add(LARGE)).toBeTypeOf('function');
    expect(() => made.add(LARGE)).toThrow();
    made.close();
  });

  it('has room for small messages a little longer', () => {
    const { made } = unread({ unreadMiB: 1 });
    made.add(LARGE);
    const small = { text: 'x'.repeat(1_000) };
    const more = () => Array.from({ length: 1_000 }, () => made.add(small));
    expect(() => made.add(LARGE)).toThrow();
    made.add(small);
    expect(more).toThrow(expect.objectContaining(REFUSED));
    expect(() => made.add({})).toThrow();
    made.close();
  });

  it('may be one message of any size', () => {
    const { made } = unread({ unreadMiB: 0.5 });
    made.add(LARGE)();
    made.add(LARGE)();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('tells that the child hangs when none of it is read for long', () => {
    const { made, told } = unread();
    const taken = [made.add({}), made.add({})];
    vi.advanceTimersByTime(59_999);
    taken[0]?.();
    vi.advanceTimersByTime(59_999);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(told).toEqual(['was ended: it read nothing of what it was sent for 60 seconds']);
    made.close();
  });

  it('leaves no timer when it was read, or the child is gone', () => {
    const { made } = unread();
    made.add({})();
    expect(vi.getTimerCount()).toBe(0);
    const late = made.add({});
    made.close();
    late();
    made.add({});
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe.each<[string, Pick<Launch, 'run' | 'args'>]>([
  ['a module', { run: OBEDIENT_CHILD }],
  ['a program', { run: process.execPath, args: [fileURLToPath(OBEDIENT_CHILD), '--lines'] }],
])('%s that never reads', (_, what) => {
  const running: CheckedChild<unknown>[] = [];
  afterEach(() => Promise.all(running.splice(0).map((child) => child.close())));

  function deaf(limits: Launch['limits']) {
    const { promise: death, resolve: onDeath } = Promise.withResolvers<Words>();
    const launch = { ...what, name: 'the deaf', env: {}, limits };
    const onMessage = () => undefined;
    const child = new CheckedChild({ spawner: nodeSpawner, launch, messages: z.unknown(), onMessage, onDeath });
    running.push(child);
    child.send({ order: 'work' });
    return { child, death };
  }

  it('has so much waiting and no more; the rest is refused and nothing else happens', async () => {
    const { child } = deaf({ unreadMiB: 16 });
    let sent = 0;
    const send = () => {
      for (; sent < 1_000; sent++) child.send({ order: 'echo', value: LARGE });
    };
    expect(send).toThrow(expect.objectContaining(REFUSED));
    expect(sent).toBe(16);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(() => child.send({ order: 'echo', value: LARGE })).toThrow(expect.objectContaining(REFUSED));
    expect(isRunning(child.pid as number)).toBe(true);
  });

  it('is sent nothing that cannot be written, which does not count either', () => {
    const { child } = deaf({ unreadMiB: 1 });
    /** Can be written once, when it is measured: as what needs a little more stack than there is. */
    const unwritable = () => {
      let times = 0;
      const toJSON = () => {
        if (times++ > 0) throw new RangeError('Maximum call stack size exceeded');
        return LARGE;
      };
      return { order: 'echo', value: { toJSON } };
    };
    for (let each = 0; each < 5; each++) expect(() => child.send(unwritable())).toThrow(RangeError);
    expect(() => child.send({ order: 'echo', value: nested(100_000) })).toThrow(RangeError);
    child.send({ order: 'echo', value: LARGE });
    expect(() => child.send({ order: 'echo', value: LARGE })).toThrow(expect.objectContaining(REFUSED));
  });

  it('is ended when it reads nothing for long, with the reason', async () => {
    const { child, death } = deaf({ unreadSeconds: 1 });
    child.send({ order: 'echo', value: LARGE });
    expect(sentence(await death)).toBe('was ended: it read nothing of what it was sent for 1 seconds');
  });
});
