import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LocalUse } from '../../../../src-main/app/engine/local-use.ts';
import { EngineSlot } from '../../../../src-main/inference/host/engine-slot.ts';
import { ScriptedBackend } from '../../../support/scripted-backend.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function make() {
  const engine = new EngineSlot(async () => new ScriptedBackend());
  return { engine, use: new LocalUse({ engine, idleMs: 600_000 }) };
}

describe('local use', () => {
  it('loads the model, and frees it ten minutes after the last question', async () => {
    const { engine, use } = make();
    const [first, second] = await Promise.all([use.begin(), use.begin()]);
    expect(engine.status().state).toBe('ready');
    first[Symbol.dispose]();
    await vi.advanceTimersByTimeAsync(700_000); // the other one takes long
    expect(engine.empty).toBe(false);
    second[Symbol.dispose]();
    await vi.advanceTimersByTimeAsync(599_000);
    expect(engine.empty).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(engine.empty).toBe(true);
  });

  it('tells when the model is freed: of one that is used, nothing', async () => {
    const { use } = make();
    expect(use.freesAt).toBeUndefined();
    const used = await use.begin();
    expect(use.freesAt).toBeUndefined();
    used[Symbol.dispose]();
    expect(use.freesAt).toBe(Date.now() + 600_000);
    using _kept = use.keep();
    expect(use.freesAt).toBeUndefined();
  });

  it('starts the ten minutes anew with each question', async () => {
    const { engine, use } = make();
    (await use.begin())[Symbol.dispose]();
    await vi.advanceTimersByTimeAsync(500_000);
    (await use.begin())[Symbol.dispose]();
    await vi.advanceTimersByTimeAsync(500_000);
    expect(engine.empty).toBe(false);
    await vi.advanceTimersByTimeAsync(100_000);
    expect(engine.empty).toBe(true);
  });

  it('leaves the model of a node that mines alone', async () => {
    const { engine, use } = make();
    using _mining = use.keep();
    (await use.begin())[Symbol.dispose]();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(engine.empty).toBe(false);
  });

  it('does not take the model away from a program that is using it', async () => {
    const { engine, use } = make();
    (await use.begin())[Symbol.dispose]();
    const backend = engine.current as ScriptedBackend;
    backend.active = 1;
    await vi.advanceTimersByTimeAsync(600_000);
    expect(engine.empty).toBe(false);
    backend.active = 0;
    await vi.advanceTimersByTimeAsync(600_000);
    expect(engine.empty).toBe(true);
  });

  it('does not wait for a model once the request was cancelled', async () => {
    const engine = new EngineSlot(() => new Promise(() => undefined));
    const use = new LocalUse({ engine });
    const leaving = new AbortController();
    const begun = use.begin(leaving.signal);
    leaving.abort();
    await expect(begun).rejects.toMatchObject({ code: 'CANCELLED' });
    use.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});
