import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Changes } from '../../../src-main/base/changes.ts';
import { watched } from '../../../src-main/base/watched.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A thing that is watched, and how often it was looked at. */
function thing() {
  const state = { value: 1, looks: 0 };
  const read = () => {
    state.looks++;
    return { value: state.value };
  };
  return { state, read, changes: new Changes(), leaving: new AbortController() };
}

describe('a watch', () => {
  it('tells at once, then what has changed a second later', async () => {
    const { state, read, changes, leaving } = thing();
    const watch = watched(read, changes, leaving.signal);
    expect((await watch.next()).value).toEqual({ value: 1 });
    state.value = 2;
    const next = watch.next();
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await next).value).toEqual({ value: 2 });
    leaving.abort();
  });

  it('does not tell the same twice', async () => {
    const { state, read, changes, leaving } = thing();
    const watch = watched(read, changes, leaving.signal);
    await watch.next();
    const next = watch.next();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(state.looks).toBe(6);
    leaving.abort();
    expect(await next).toMatchObject({ done: true });
  });

  it('looks at once when somebody says that it changed', async () => {
    const { state, read, changes, leaving } = thing();
    const watch = watched(read, changes, leaving.signal);
    await watch.next();
    state.value = 2;
    const next = watch.next();
    changes.tell();
    expect((await next).value).toEqual({ value: 2 });
    leaving.abort();
  });

  it('looks less often at what takes long to read, whatever changes, and leaves at once', async () => {
    const { state, changes, leaving } = thing();
    const read = () => {
      vi.advanceTimersByTime(50); // as a long query does, which holds up all else
      return state.looks++;
    };
    const watch = watched(read, changes, leaving.signal);
    await watch.next();
    const next = watch.next();
    for (let waited = 0; waited < 440; waited += 20) {
      changes.tell();
      await vi.advanceTimersByTimeAsync(20);
    }
    expect(state.looks).toBe(1);
    await vi.advanceTimersByTimeAsync(20);
    expect((await next).value).toBe(1);
    const last = watch.next();
    leaving.abort();
    expect(await last).toMatchObject({ done: true });
  });

  it('does nothing when nobody reads, and leaves nothing behind', async () => {
    const { state, read, changes, leaving } = thing();
    for await (const _ of watched(read, changes, leaving.signal)) break;
    changes.tell();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(state.looks).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('fails as what it reads fails', async () => {
    const { changes, leaving } = thing();
    const watch = watched(() => Promise.reject(new Error('gone')), changes, leaving.signal);
    await expect(watch.next()).rejects.toThrow('gone');
  });
});
