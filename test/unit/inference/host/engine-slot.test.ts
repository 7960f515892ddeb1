import { describe, expect, it } from 'vitest';
import { ignoring } from '../../../../src-main/base/swallowed.ts';
import type { Answering, InferenceBackend } from '../../../../src-main/inference/backend.ts';
import { EngineSlot } from '../../../../src-main/inference/host/engine-slot.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { ScriptedBackend } from '../../../support/scripted-backend.ts';

/** A backend whose loading ends when it is told to, and that is ended by `close` as a real one is. */
class SlowBackend extends ScriptedBackend {
  readonly loading = Promise.withResolvers<void>();
  closed = 0;

  override open(): Promise<void> {
    return this.loading.promise;
  }

  override async close(): Promise<void> {
    this.closed++;
    this.loading.reject(new QuarryError({ code: 'CANCELLED', message: 'closed while it was starting' }));
  }
}

async function textOf(backend: Answering): Promise<string> {
  for await (const event of backend.generate({ input: { prompt: 'Hi' } }))
    if (event.type === 'done') return event.result.text;
  return '';
}

describe('an engine slot', () => {
  it('is empty at first, and says so to whoever asks', async () => {
    const slot = new EngineSlot(async () => new ScriptedBackend());
    expect(slot.status()).toEqual({ state: 'closed', model: undefined, active: 0, waiting: 0 });
    expect(slot.empty).toBe(true);
    await expect(textOf(slot)).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE', hint: /Start mining/ });
    expect(() => slot.need()).toThrow(expect.objectContaining({ code: 'ENGINE_UNAVAILABLE' }));
  });

  it('gives the engine that is in it, with all that this can do', async () => {
    const backend = new ScriptedBackend();
    const slot = new EngineSlot(async () => backend);
    expect(slot.current).toBeUndefined();
    await slot.open();
    expect([slot.current, slot.need()]).toEqual([backend, backend]);
    expect(await slot.need().countTokens?.({ prompt: 'Hi' })).toBe(7);
  });

  it('makes one engine for all who open it at the same time, and another one after it was closed', async () => {
    const made: ScriptedBackend[] = [];
    const slot = new EngineSlot(async () => {
      const backend = new ScriptedBackend({ tokens: [`engine ${made.length}`] });
      made.push(backend);
      return backend;
    });
    await Promise.all([slot.open(), slot.open()]);
    expect(made).toHaveLength(1);
    expect(await textOf(slot)).toBe('engine 0');
    await slot.close();
    expect(slot.current).toBeUndefined();
    await slot.open();
    expect(await textOf(slot)).toBe('engine 1');
  });

  it('closes an engine that cannot be opened, is empty then, and may be tried again', async () => {
    const broken = new SlowBackend();
    const engines = [broken, new ScriptedBackend()];
    const slot = new EngineSlot(async () => engines.shift() ?? broken);
    const opening = slot.open();
    broken.loading.reject(new QuarryError({ code: 'OUT_OF_MEMORY', message: 'too large' }));
    await expect(opening).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
    expect([broken.closed, slot.empty]).toEqual([1, true]);
    await slot.open();
    expect(slot.status().state).toBe('ready');
  });

  it('says why an engine cannot be opened in the words of whoever knows more, once it is closed', async () => {
    const backend = new SlowBackend();
    const why = new QuarryError({ code: 'OUT_OF_MEMORY', message: 'too large' });
    const told = new QuarryError({ code: 'OUT_OF_MEMORY', message: 'too large', hint: 'q8_0 would fit' });
    const slot = new EngineSlot(
      async () => backend,
      async (error, of) => (error === why && of === backend && backend.closed === 1 ? told : error),
    );
    const opening = slot.open();
    backend.loading.reject(why);
    await expect(opening).rejects.toBe(told);
    expect(slot.empty).toBe(true);
  });

  it('gives up an engine that is being opened when it is closed', async () => {
    const slow = new SlowBackend();
    const slot = new EngineSlot(async () => slow);
    const opening = slot.open();
    opening.catch(ignoring('looked at later, or never'));
    expect(slot.status().state).toBe('starting');
    await slot.close();
    await expect(opening).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(slot.empty).toBe(true);
  });

  it('does not open an engine that was still being made when it was closed', async () => {
    const making = Promise.withResolvers<InferenceBackend>();
    const slot = new EngineSlot(() => making.promise);
    const opening = slot.open();
    opening.catch(ignoring('looked at later, or never'));
    const closing = slot.close();
    making.resolve(new SlowBackend());
    await closing;
    await expect(opening).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(slot.current).toBeUndefined();
  });

  it('loads the next engine only when the memory of the last one is free', async () => {
    const steps: string[] = [];
    const ended = Promise.withResolvers<void>();
    const first = new ScriptedBackend();
    first.close = async () => {
      await ended.promise;
      steps.push('first is gone');
    };
    const engines = [first, new ScriptedBackend()];
    const slot = new EngineSlot(async () => {
      steps.push('made');
      return engines.shift() ?? first;
    });
    await slot.open();
    const closing = slot.close();
    const opening = slot.open();
    ended.resolve();
    await Promise.all([closing, opening]);
    expect(steps).toEqual(['made', 'first is gone', 'made']);
  });
});
