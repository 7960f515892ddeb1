import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { GenerateEvent, GenerateOptions, InferenceBackend } from '../../src-main/inference/backend.ts';
import type { GenerateRequest } from '../../src-preload/contract/request.ts';
import { ENDLESS } from './engine.ts';

export interface BackendUnderTest {
  /** Not open yet. */
  backend: InferenceBackend;
  /** Ends what the backend needed, not the backend. */
  end?: () => Promise<void>;
}

export interface BackendContract {
  make: () => BackendUnderTest | Promise<BackendUnderTest>;
  /** What it can do beyond generating; the rest has to be absent. */
  abilities: readonly ('score' | 'embed' | 'countTokens' | 'tokenize' | 'engine')[];
}

const SHORT: GenerateRequest = { input: { prompt: 'The mesh' }, maxTokens: 5, temperature: 0 };

/** What every {@link InferenceBackend} promises, doubles of it included. */
export function backendContract(name: string, { make, abilities }: BackendContract): void {
  let shared: BackendUnderTest | undefined;
  let own: BackendUnderTest | undefined;

  /** One for all tests that leave it open: loading a model takes a while. */
  async function open(): Promise<InferenceBackend> {
    shared ??= await make();
    await shared.backend.open();
    return shared.backend;
  }

  /** One for this test, not open yet. */
  async function fresh(): Promise<InferenceBackend> {
    own = await make();
    return own.backend;
  }

  async function end(made: BackendUnderTest | undefined): Promise<void> {
    await made?.backend.close();
    await made?.end?.();
  }

  describe(`${name} as a backend`, () => {
    afterEach(async () => {
      await end(own);
      own = undefined;
    });
    afterAll(() => end(shared));

    it('is not ready before it is opened, and says so to whoever asks', async () => {
      const backend = await fresh();
      expect(backend.status()).toMatchObject({ active: 0, waiting: 0 });
      expect(backend.status().state).not.toBe('ready');
      await expect(all(backend, SHORT)).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
    });

    it('opens once, however often it is asked to, and tells what it has loaded', async () => {
      const backend = await fresh();
      await Promise.all([backend.open(), backend.open()]);
      await backend.open();
      const { state, model, active, waiting } = backend.status();
      expect([state, active, waiting]).toEqual(['ready', 0, 0]);
      expect(model).toMatchObject({ name: expect.any(String), device: expect.any(String) });
      expect(Math.min(model?.contextSize ?? 0, model?.parallel ?? 0)).toBeGreaterThan(0);
    });

    it('streams pieces, then exactly one result, whose text they are', async () => {
      const backend = await open();
      const events = await all(backend, SHORT);
      expect(events.map(({ type }) => type)).toEqual([...Array(events.length - 1).fill('chunk'), 'done']);
      const { text, tokens, result } = joined(events);
      expect(result.text).toBe(text);
      expect(text).not.toBe('');
      expect([tokens, result.completionTokens]).toEqual([5, 5]);
      for (const figure of [result.promptTokens, result.firstTokenMs, result.totalMs, result.queuedMs])
        expect(figure).toBeGreaterThanOrEqual(0);
    });

    it('answers several at once, each with its own', async () => {
      const backend = await open();
      const answers = await Promise.all(Array.from({ length: 4 }, () => all(backend, SHORT)));
      const texts = answers.map((events) => joined(events).result.text);
      expect(new Set(texts).size).toBe(1);
      expect(backend.status().active).toBe(0);
    });

    it('stops when its reader leaves', async () => {
      const backend = await open();
      for await (const _ of backend.generate(ENDLESS)) break;
      await expect.poll(() => backend.status()).toMatchObject({ active: 0, waiting: 0 });
    });

    it('stops with CANCELLED when the signal says so, before or in the middle', async () => {
      const backend = await open();
      await expect(all(backend, ENDLESS, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'CANCELLED' });
      const leaving = new AbortController();
      const asking = (async () => {
        for await (const _ of backend.generate(ENDLESS, { signal: leaving.signal })) leaving.abort();
      })();
      await expect(asking).rejects.toMatchObject({ code: 'CANCELLED' });
      await expect.poll(() => backend.status().active).toBe(0);
    });

    it('ends with DEADLINE when its time is over', async () => {
      const backend = await open();
      await expect(all(backend, ENDLESS, { deadlineMs: 40 })).rejects.toMatchObject({ code: 'DEADLINE' });
      await expect.poll(() => backend.status().active).toBe(0);
    });

    it.each<[string, string, Partial<GenerateRequest>]>([
      ['BAD_REQUEST', 'temperature', { temperature: 7 }],
      ['BAD_REQUEST', 'maxTokens', { maxTokens: 0 }],
      ['BAD_REQUEST', 'stop.1', { stop: ['a', ''] }],
      ['BAD_REQUEST', 'toolChoice', { tools: [{ name: 'a' }], toolChoice: { name: 'b' } }],
      ['BAD_REQUEST', 'input.messages.0.toolCallId', { input: { messages: [{ role: 'tool', content: '' }] } }],
      ['CONTEXT_TOO_LONG', 'input.prompt', { input: { prompt: 'é'.repeat(17_000_000) } }],
    ])('refuses with %s what is wrong with %s', async (code, field, wrong) => {
      const backend = await open();
      await expect(all(backend, { ...SHORT, ...wrong })).rejects.toMatchObject({ code, field });
      expect((await all(backend, SHORT)).at(-1)?.type).toBe('done');
    });

    it('ends what runs with CANCELLED when it is closed, and answers no more', async () => {
      const backend = await fresh();
      await backend.open();
      const running = backend.generate(ENDLESS)[Symbol.asyncIterator]();
      await running.next();
      const rest = (async () => {
        while (!(await running.next()).done);
      })();
      await Promise.all([expect(rest).rejects.toMatchObject({ code: 'CANCELLED' }), backend.close()]);
      await backend.close();
      expect(backend.status()).toMatchObject({ state: 'closed', active: 0, waiting: 0 });
      await expect(all(backend, SHORT)).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
      if (abilities.includes('countTokens'))
        await expect(backend.countTokens?.({ prompt: 'x' })).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
    });

    it(`can do what it says it can: ${abilities.join(', ') || 'nothing'} beside generating`, async () => {
      const backend = await open();
      const known = ['score', 'embed', 'countTokens', 'tokenize', 'engine'] as const;
      const can = known.filter((ability) => backend[ability]);
      expect(can).toEqual(known.filter((each) => abilities.includes(each)));

      const continuation = ' is made of peers.';
      const scored = await backend.score?.({ input: { prompt: 'The mesh' }, continuation, topK: 1 });
      if (scored) {
        expect(scored.tokens.map(({ token }) => token).join('')).toBe(continuation);
        expect(scored.totalLogprob).toBeCloseTo(scored.tokens.reduce((sum, { logprob }) => sum + logprob, 0));
        const wrong = { input: { prompt: 'The mesh' }, continuation: '' };
        await expect(backend.score?.(wrong)).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'continuation' });
      }

      const embedded = await backend.embed?.(['a peer', 'a model']);
      if (embedded) {
        const [one, other] = embedded.vectors;
        expect([embedded.vectors.length, other?.length]).toEqual([2, one?.length]);
        await expect(backend.embed?.([])).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'inputs' });
      }

      const counted = await backend.countTokens?.({ prompt: 'a peer of the mesh' });
      if (counted !== undefined) expect(counted).toBeGreaterThan(0);

      if (backend.engine) {
        expect([backend.engine.modelPath.endsWith('.gguf'), backend.engine.restarts]).toEqual([true, 0]);
        expect(backend.engine.pid).toBeGreaterThan(0);
        backend.engine.setSpeed(1);
        expect(await backend.engine.gpus()).toEqual(expect.any(Array));
      }
    });
  });
}

function all(backend: InferenceBackend, request: GenerateRequest, options?: GenerateOptions): Promise<GenerateEvent[]> {
  return Array.fromAsync(backend.generate(request, options));
}

function joined(events: readonly GenerateEvent[]) {
  const last = events.at(-1);
  if (last?.type !== 'done') throw new Error('The answer has no result.');
  const chunks = events.filter((event) => event.type === 'chunk');
  const text = chunks.map((chunk) => chunk.text).join('');
  return { text, tokens: chunks.reduce((sum, chunk) => sum + chunk.tokens, 0), result: last.result };
}
