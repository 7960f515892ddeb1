import type { Token } from 'node-llama-cpp';
import { describe, expect, it } from 'vitest';
import type {
  AdapterWeights,
  Addon,
  BatchItem,
  DecodingBatch,
} from '../../../../../src-main/inference/child/loop/addon.ts';
import { BatchLoop } from '../../../../../src-main/inference/child/loop/batch-loop.ts';
import type { SequenceRequest, SequenceTask } from '../../../../../src-main/inference/child/loop/sequence-task.ts';
import { until } from '../../../../support/until.ts';

const tokens = (count: number, from = 0) => Array.from({ length: count }, (_, index) => (from + index) as Token);

/** Remembers batches; a batch takes as many milliseconds of the test's clock as it has tokens. */
class ScriptedAddon {
  readonly batches: BatchItem[][] = [];
  /** What each batch was computed with. */
  readonly adapters: (AdapterWeights | undefined)[] = [];
  adapter: AdapterWeights | undefined;
  readonly cleared: number[] = [];
  clock = 0;
  rested = 0;
  onDecode: (items: readonly BatchItem[]) => void = () => undefined;
  /** Called where the loop went round 100 times in a row without a batch. */
  onIdle: () => void = () => undefined;
  #decoded = 0;
  #idle = 0;
  canTruncate = true;
  firstKept = 0;

  round(): void {
    this.#idle = this.batches.length === this.#decoded ? this.#idle + 1 : 0;
    this.#decoded = this.batches.length;
    if (this.#idle > 100) this.onIdle();
  }

  decode(items: readonly BatchItem[]): DecodingBatch {
    this.batches.push(items.map((item) => ({ ...item })));
    this.adapters.push(this.adapter);
    this.clock += items.reduce((sum, item) => sum + item.tokens.length, 0);
    let next = 0;
    return { logits: items.map(({ logits }) => logits.map(() => next++)), done: this.#finish(items) };
  }

  async #finish(items: readonly BatchItem[]): Promise<void> {
    await Promise.resolve();
    this.onDecode(items);
  }

  useAdapter(adapter: AdapterWeights | undefined): void {
    this.adapter = adapter;
  }

  truncate(): boolean {
    return this.canTruncate;
  }

  clear(sequence: number): void {
    this.cleared.push(sequence);
  }

  readonly copied: [source: number, target: number][] = [];

  async copy(source: number, target: number): Promise<void> {
    this.copied.push([source, target]);
  }

  firstPosition(): number {
    return this.firstKept;
  }

  /** Tokens of each sequence, batch by batch. */
  get shape(): number[][] {
    return this.batches.map((items) => items.map((item) => item.tokens.length));
  }
}

/** Generates the token 1000 so many times. */
class CountingTask implements SequenceTask {
  readonly tokens: Token[];
  readonly logitsFrom: number;
  ended = false;
  error: unknown;
  disposed = false;
  #left: number;

  readonly adapter: AdapterWeights | undefined;

  constructor(prompt: Token[], count: number, adapter?: AdapterWeights) {
    this.adapter = adapter;
    this.tokens = [...prompt];
    this.logitsFrom = prompt.length - 1;
    this.#left = count;
  }

  async onLogits(): Promise<void> {
    if (--this.#left === 0) this.ended = true;
    else this.tokens.push(1000 as Token);
  }

  fail(error: unknown): void {
    this.error = error;
    this.ended = true;
  }

  dispose(): void {
    this.disposed = true;
  }
}

function setUp({ sequences = 4, window = undefined as number | undefined, contextSize = 4_096, batchSize = 512 } = {}) {
  const addon = new ScriptedAddon();
  const loop = new BatchLoop({
    addon: addon as unknown as Addon,
    sequences,
    contextSize,
    batchSize,
    window,
    onRound: () => addon.round(),
    now: () => addon.clock,
    sleep: async (ms) => {
      addon.rested += ms;
    },
  });
  const started: { task: SequenceTask; cached: number }[] = [];
  const submit = (task: CountingTask) => {
    const done = Promise.withResolvers<void>();
    const request: SequenceRequest = {
      get ended() {
        return task.ended;
      },
      begin: () => task,
      onSequence: (cached) => void started.push({ task, cached }),
      fail: (error) => task.fail(error),
    };
    task.dispose = () => {
      task.disposed = true;
      done.resolve();
    };
    loop.submit(request);
    return done.promise;
  };
  return { addon, loop, submit, started };
}

describe('BatchLoop', () => {
  it('puts the next token of every decoding sequence into every batch', async () => {
    const { addon, submit } = setUp();
    await Promise.all([submit(new CountingTask(tokens(2, 10), 4)), submit(new CountingTask(tokens(2, 20), 4))]);
    expect(addon.shape).toEqual([
      [2, 2],
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
  });

  it('takes those who decode in groups of the fastest size, each once before anybody again', async () => {
    const { addon, loop, submit } = setUp();
    loop.useDecodeCosts([
      { sequences: 1, ms: 9 },
      { sequences: 2, ms: 10 },
      { sequences: 3, ms: 40 },
    ]);
    await Promise.all([10, 20, 30].map((from) => submit(new CountingTask(tokens(2, from), 3))));
    const ids = addon.batches.map((items) => items.map(({ sequence }) => sequence));
    expect(ids).toEqual([[0, 1, 2], [0], [1, 2], [0], [1, 2]]);
  });

  it('lets no answer wait for those that come one after the other and are over after a token', async () => {
    const { addon, loop, submit } = setUp({ sequences: 2 });
    loop.useDecodeCosts([
      { sequences: 1, ms: 9 },
      { sequences: 2, ms: 40 },
    ]);
    await submit(new CountingTask(tokens(2), 1));
    const short = () => submit(new CountingTask(tokens(2), 1));
    const first = short();
    const batches = submit(new CountingTask(tokens(2, 500), 10)).then(() => addon.batches.length);
    await Promise.all([first, ...Array.from({ length: 100 }, short)]);
    expect(await batches).toBeLessThan(40); // else it ends behind all of them
  });

  it('reads a short prompt before a long one that came first', async () => {
    const { addon, submit } = setUp();
    const long = submit(new CountingTask(tokens(3_000), 1));
    await until(() => expect(addon.batches.length).toBeGreaterThan(0));
    const before = addon.batches.length;
    await submit(new CountingTask(tokens(40, 5_000), 1));
    expect(addon.batches.length - before).toBeLessThanOrEqual(4);
    await long;
  });

  it('lets no running answer wait for more than a fifth of a second', async () => {
    const { addon, submit } = setUp();
    const decodedAt: number[] = [];
    addon.onDecode = (items) => {
      if (items.some((item) => item.tokens.length === 1)) decodedAt.push(addon.clock);
    };
    const answer = submit(new CountingTask(tokens(2), 60));
    await Promise.all([answer, ...[1, 2, 3].map((n) => submit(new CountingTask(tokens(2_000, 5_000 * n), 1)))]);
    const gaps = decodedAt.slice(1).map((at, index) => at - (decodedAt[index] ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(200);
  });

  describe('prompts that come together', () => {
    /** A token of a prompt takes 3 ms, which the loop knows from one that it has read. */
    async function slow(sequences: number) {
      const { addon, submit } = setUp({ sequences });
      addon.onDecode = (items) => {
        addon.clock += 2 * items.reduce((sum, item) => sum + item.tokens.length, 0);
      };
      await submit(new CountingTask(tokens(100), 1));
      addon.batches.length = 0;
      return { addon, submit };
    }

    it('are all read before one of them is answered', async () => {
      const { addon, submit } = await slow(8);
      await Promise.all([1, 2, 3, 4, 5, 6].map((n) => submit(new CountingTask(tokens(160, n * 1_000), 3))));
      expect(addon.shape).toEqual([
        [159, 159],
        [159, 159],
        [160, 160],
        [1, 1, 1, 1, 1, 1],
        [1, 1, 1, 1, 1, 1],
        [1, 1, 1, 1],
      ]);
    });

    it('leave the last token of each where all but that fits into one batch', async () => {
      const { addon, submit } = setUp({ batchSize: 127 });
      await Promise.all([1, 2].map((n) => submit(new CountingTask(tokens(64, n * 1_000), 2))));
      expect(addon.shape).toEqual([
        [63, 63],
        [1, 1],
        [1, 1],
      ]);
    });

    it.each([
      [4, 600, 4_000],
      [8, 600, 8_000],
      [16, 600, 8_000],
    ])('of %i requests wait for each other for a second each, and eight at the most', async (count, length, most) => {
      const { addon, submit } = await slow(count);
      const came = addon.clock;
      const charge = addon.onDecode;
      let began = 0;
      addon.onDecode = (items) => {
        charge(items);
        if (items.some(({ logits }) => logits.length > 0)) began ||= addon.clock - came;
      };
      await Promise.all(
        Array.from({ length: count }, (_, n) => submit(new CountingTask(tokens(length, n * 1_000), 3))),
      );
      const firstReadMs = 3 * length;
      expect(began).toBeGreaterThan(firstReadMs + most / 2);
      expect(began).toBeLessThanOrEqual(firstReadMs + most);
    });

    it('wait no longer for those that come meanwhile', async () => {
      const { addon, submit } = await slow(8);
      const came = addon.clock;
      const charge = addon.onDecode;
      const all: Promise<unknown>[] = [];
      const ask = () => all.push(submit(new CountingTask(tokens(300, all.length * 1_000 + 1_000), 3)));
      let began = 0;
      addon.onDecode = (items) => {
        charge(items);
        if (all.length < 8) ask();
        if (items.some(({ logits }) => logits.length > 0)) began ||= addon.clock - came;
      };
      for (let asked = 0; asked < 2; asked++) ask();
      await until(() => expect(began).toBeGreaterThan(0));
      await Promise.all(all);
      expect(began).toBeLessThanOrEqual(3 * 300 + 2_000);
    });

    it('do not wait for one that is too long for that', async () => {
      const { addon, submit } = await slow(2);
      await Promise.all([
        submit(new CountingTask(tokens(160, 1_000), 2)),
        submit(new CountingTask(tokens(3_000, 5_000), 1)),
      ]);
      expect(addon.shape.slice(0, 2).map((batch) => batch.toSorted())).toEqual([[160, 172], [1]]);
    });

    it('are read by a batch each time, also one of two tokens that overtakes a long one', async () => {
      const { addon, submit } = await slow(4);
      const long = new CountingTask(tokens(400, 5_000), 2);
      const short = [1, 2].map((n) => new CountingTask(tokens(2, n * 1_000), 2));
      const stuck = new Error('the loop goes round without a batch');
      addon.onIdle = () => {
        for (const task of [long, ...short]) task.fail(stuck);
      };
      await Promise.all([long, ...short].map(submit));
      expect([long, ...short].map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
      expect(addon.batches.every((items) => items.length > 0)).toBe(true);
    });

    it('are read on at once where those that they wait for are cancelled', async () => {
      const { addon, submit } = await slow(4);
      const rest = [3, 4].map((n) => new CountingTask(tokens(160, n * 1_000), 3));
      const charge = addon.onDecode;
      addon.onDecode = (items) => {
        charge(items);
        for (const task of rest) task.ended = true;
      };
      await Promise.all([
        ...[1, 2].map((n) => submit(new CountingTask(tokens(160, n * 1_000), 2))),
        ...rest.map(submit),
      ]);
      expect(addon.shape).toEqual([
        [159, 159],
        [1, 1],
        [1, 1],
      ]);
    });
  });

  it('measures what batches cost, and leaves nothing behind', async () => {
    const { addon, loop, submit } = setUp();
    const costs = await loop.measureDecodeCosts(() => true);
    expect(costs).toEqual([1, 2, 3, 4].map((count) => ({ sequences: count, ms: count })));
    expect(new Set(addon.cleared)).toEqual(new Set([0, 1, 2, 3]));
    await submit(new CountingTask(tokens(2), 2));
    expect(addon.shape.slice(-2)).toEqual([[2], [1]]);
  });

  it('measures nothing beside requests, and ends where one comes', async () => {
    const { addon, loop, submit } = setUp();
    const first = submit(new CountingTask(tokens(2), 2));
    expect(await loop.measureDecodeCosts(() => true)).toEqual([]);
    await first;
    const measuring = loop.measureDecodeCosts(() => true);
    const second = submit(new CountingTask(tokens(2), 2));
    expect(await measuring).toEqual([]);
    await second;
    expect(addon.shape.at(-1)).toEqual([1]);
  });

  it('keeps no sequence for a request whose prompt could not be copied', async () => {
    const { addon, submit } = setUp({ sequences: 2 });
    addon.copy = async () => {
      throw new Error('There is no memory left.');
    };
    const second = new CountingTask(tokens(300), 1);
    const third = new CountingTask(tokens(2, 900), 1);
    const later: Promise<void>[] = [];
    addon.onDecode = () => {
      if (addon.batches.length === 5) later.push(submit(second), submit(third));
    };
    await submit(new CountingTask(tokens(300), 40));
    await Promise.all(later);
    expect(second.error).toMatchObject({ message: 'There is no memory left.' });
    expect([third.error, third.ended]).toEqual([undefined, true]);
    expect(addon.cleared).toContain(1); // nobody knows what it holds
  });

  it('lets those who decode go on while a long prompt is read in pieces', async () => {
    const { addon, submit } = setUp();
    const done = submit(new CountingTask(tokens(2), 40));
    await Promise.all([done, submit(new CountingTask(tokens(1_000, 5), 1))]);
    const reading = addon.batches.map((items) => items.some((item) => item.tokens.length > 1));
    const pieces = addon.shape.filter((_, index) => reading[index]).flat();
    expect(pieces.length).toBeGreaterThan(3);
    // 300 ms at most, and this machine reads a token in a millisecond.
    expect(Math.max(...pieces)).toBeLessThanOrEqual(300);
    expect(reading.slice(1).some((now, index) => now && reading[index])).toBe(false);
  });

  it('serves in the order of asking when all sequences are in use', async () => {
    const { addon, submit, started } = setUp({ sequences: 1 });
    const tasks = [10, 20, 30].map((first) => new CountingTask(tokens(2, first), 2));
    await Promise.all(tasks.map(submit));
    expect(started.map(({ task }) => task)).toEqual(tasks);
    expect(addon.batches.every((items) => items.length === 1)).toBe(true);
  });

  it('evaluates only what is new of a prompt that goes on', async () => {
    const { addon, submit, started } = setUp();
    await submit(new CountingTask(tokens(50), 2));
    await submit(new CountingTask(tokens(60), 1));
    expect(started.at(-1)?.cached).toBe(50);
    expect(addon.batches.at(-1)).toMatchObject([{ position: 50, tokens: tokens(10, 50) }]);
  });

  it('evaluates the last token again when all of the prompt is there', async () => {
    const { submit, started } = setUp();
    await submit(new CountingTask(tokens(50), 1));
    await submit(new CountingTask(tokens(50), 1));
    expect(started.at(-1)?.cached).toBe(49);
  });

  it('begins anew where that is wanted', async () => {
    const { addon, submit, started } = setUp();
    await submit(new CountingTask(tokens(50), 2));
    await submit(Object.assign(new CountingTask(tokens(60), 1), { fresh: true }));
    expect(started.at(-1)?.cached).toBe(0);
    expect(addon.batches.at(-1)).toMatchObject([{ position: 0 }]);
  });

  it('begins anew where the model cannot go back', async () => {
    const { addon, submit, started } = setUp();
    addon.canTruncate = false;
    await submit(new CountingTask(tokens(50), 5));
    await submit(new CountingTask(tokens(40), 1));
    expect(started.at(-1)?.cached).toBe(0);
    expect(addon.cleared).toEqual([0]);
    expect(addon.batches.at(-1)).toMatchObject([{ position: 0 }]);
  });

  it('begins anew where the window has slid past what it would look back at', async () => {
    const { addon, submit, started } = setUp({ window: 10 });
    await submit(new CountingTask(tokens(50), 1));
    addon.firstKept = 35;
    await submit(new CountingTask([...tokens(40), 7 as Token], 1));
    expect(started.at(-1)?.cached).toBe(0);
  });

  it('hears of what happens meanwhile where nobody wants a batch', async () => {
    const { submit } = setUp();
    const task = new CountingTask(tokens(2), 5);
    task.onLogits = async () => void setImmediate(() => task.fail(new Error('cancelled')));
    await submit(task);
    expect(task.disposed).toBe(true);
  });

  it('frees the sequence of a cancelled task after the batch', async () => {
    const { addon, submit } = setUp({ sequences: 1 });
    const cancelled = new CountingTask(tokens(2), 1_000);
    const waiting = new CountingTask(tokens(3, 50), 1);
    addon.onDecode = () => {
      if (addon.batches.length === 3) cancelled.ended = true;
    };
    await Promise.all([submit(cancelled), submit(waiting)]);
    expect(addon.batches).toHaveLength(4);
  });

  it('never begins a request that was cancelled while it waited', async () => {
    const { submit, started } = setUp({ sequences: 1 });
    const first = new CountingTask(tokens(2), 5);
    const cancelled = new CountingTask(tokens(2), 5);
    const done = submit(first);
    void submit(cancelled);
    cancelled.ended = true;
    await done;
    await submit(new CountingTask(tokens(2), 1));
    expect(started.map(({ task }) => task)).not.toContain(cancelled);
  });

  it('lets go at once of a request that is cancelled while it waits', async () => {
    const { loop, submit, started } = setUp({ sequences: 1 });
    const [first, cancelled, last] = [10, 20, 30].map((from) => new CountingTask(tokens(2, from), 5));
    const done = submit(first as CountingTask);
    void submit(cancelled as CountingTask);
    const next = submit(last as CountingTask);
    Object.assign(cancelled as CountingTask, { ended: true });
    loop.dropEnded();
    Object.assign(cancelled as CountingTask, { ended: false }); // were it still there, it would begin
    await Promise.all([done, next]);
    expect(started.map(({ task }) => task)).toEqual([first, last]);
  });

  it('fails what was in a batch that llama.cpp refused, forgets its tokens, and goes on', async () => {
    const { addon, submit, started } = setUp();
    const failing = new CountingTask(tokens(5), 3);
    addon.onDecode = () => {
      addon.onDecode = () => undefined;
      throw new Error('no room');
    };
    await submit(failing);
    expect(failing.error).toEqual(new Error('no room'));
    await submit(new CountingTask(tokens(5), 1));
    expect(started.at(-1)?.cached).toBe(0);
  });

  it('lets one task fail without its neighbours', async () => {
    const { submit } = setUp();
    const failing = new CountingTask(tokens(5), 3);
    failing.onLogits = async () => {
      throw new Error('bad grammar');
    };
    const other = new CountingTask(tokens(5, 20), 3);
    await Promise.all([submit(failing), submit(other)]);
    expect(failing.error).toEqual(new Error('bad grammar'));
    expect(other.error).toBeUndefined();
  });

  it('computes only its share of the time when told to', async () => {
    const { addon, loop, submit } = setUp();
    loop.setSpeed(0.25);
    await submit(new CountingTask(tokens(100), 1));
    expect(addon.rested).toBe(3 * addon.clock);
  });
});

describe('adapters in a BatchLoop', () => {
  const [A, B] = ['a', 'b'].map((filePath): AdapterWeights => ({ filePath, dispose: async () => undefined }));

  it('are never mixed in a batch, which is computed with its own', async () => {
    const { addon, submit } = setUp({ sequences: 6 });
    const byFirstToken = new Map<Token | undefined, AdapterWeights | undefined>();
    const done = [undefined, A, B, undefined, A, B].map((adapter, index) => {
      byFirstToken.set((index * 1_000) as Token, adapter);
      return submit(new CountingTask(tokens(30, index * 1_000), 200, adapter));
    });
    await Promise.all(done);
    const owners = new Map<number, AdapterWeights | undefined>();
    for (const [at, items] of addon.batches.entries()) {
      for (const {
        sequence,
        position,
        tokens: [first],
      } of items) {
        if (position === 0) owners.set(sequence, byFirstToken.get(first));
        expect(owners.get(sequence)).toBe(addon.adapters[at]);
      }
    }
    const decoded = [undefined, A, B].map((adapter) => addon.adapters.filter((used) => used === adapter).length);
    expect(Math.max(...decoded) - Math.min(...decoded)).toBeLessThan(10);
  });

  it('get on beside each other, in turns that are worth the change', async () => {
    const { addon, submit } = setUp();
    const endless = new CountingTask(tokens(2), 100_000);
    const running = submit(endless);
    await submit(new CountingTask(tokens(2, 50), 1_000, A));
    const changes = addon.adapters.filter((adapter, at) => at > 0 && adapter !== addon.adapters[at - 1]).length;
    expect(changes).toBeGreaterThan(15);
    expect(changes).toBeLessThan(25);
    endless.ended = true;
    await running;
  });

  it('keep those who decode from waiting long for another’s prompt', async () => {
    const { addon, submit } = setUp();
    const endless = new CountingTask(tokens(2), 100_000);
    const decoding = submit(endless);
    await submit(new CountingTask(tokens(3_000, 5), 1, A));
    const pieces = addon.shape.filter((_, at) => addon.adapters[at] === A).flat();
    expect(Math.max(...pieces)).toBeLessThanOrEqual(300);
    endless.ended = true;
    await decoding;
  });

  it('make no use of what another has evaluated', async () => {
    const { submit, started } = setUp({ sequences: 1 });
    for (const adapter of [undefined, A, A, B, undefined]) await submit(new CountingTask(tokens(50), 2, adapter));
    expect(started.map(({ cached }) => cached)).toEqual([0, 0, 49, 0, 0]);
  });

  it('fail their own requests alone where the context does not take one', async () => {
    const { addon, submit } = setUp();
    addon.useAdapter = (adapter) => {
      if (adapter === A) throw new Error('no room');
    };
    const [failing, other] = [new CountingTask(tokens(5), 3, A), new CountingTask(tokens(5, 20), 3)];
    await Promise.all([submit(failing), submit(other)]);
    expect(failing.error).toEqual(new Error('no room'));
    expect(other.error).toBeUndefined();
  });

  describe('a prompt that another sequence has read', () => {
    /** Asks with one prompt, and when that was read with another that begins with as many of its tokens. */
    async function askTwice(
      common: number,
      more: { contextSize?: number; adapter?: AdapterWeights; fresh?: boolean; asker?: string },
    ) {
      const { addon, submit, started } = setUp(more);
      const first = new CountingTask(tokens(300), 50);
      const read = Promise.withResolvers<void>();
      addon.onDecode = ([item]) => item?.position === 300 && read.resolve();
      const done = submit(first);
      await read.promise;
      const second = new CountingTask([...tokens(common), ...tokens(10, 5_000)], 1, more.adapter);
      await Promise.all([done, submit(Object.assign(second, { fresh: more.fresh, asker: more.asker }))]);
      return { addon, cached: started[1]?.cached };
    }

    it('is copied while that one goes on', async () => {
      const { addon, cached } = await askTwice(200, {});
      expect([cached, addon.copied]).toEqual([200, [[0, 1]]]);
      expect(addon.shape.flat().filter((count) => count === 10)).toEqual([10]);
    });

    it('is copied however long it is', async () => {
      const { addon, submit, started } = setUp({ contextSize: 300_000, batchSize: 100_000 });
      const long = tokens(150_000);
      const first = new CountingTask(long, 100_000);
      const read = Promise.withResolvers<void>();
      addon.onDecode = ([item]) => item?.position === long.length && read.resolve();
      void submit(first);
      await read.promise;
      const second = new CountingTask([...long, ...tokens(10, 500_000)], 1);
      const answered = submit(second);
      await until(() => expect(started).toHaveLength(2));
      first.ended = true;
      await answered;
      expect([second.error, started[1]?.cached]).toEqual([undefined, long.length]);
    });

    it('is read while others go on, where copying took so long that they would wait', async () => {
      const { addon, submit, started } = setUp({ sequences: 3 });
      addon.copy = async (source, target) => {
        addon.copied.push([source, target]);
        addon.clock += 500;
      };
      const tasks = [0, 1, 2].map((n) => new CountingTask([...tokens(200), ...tokens(10, 1_000 * (n + 5))], 300));
      const done: Promise<unknown>[] = [];
      for (const task of tasks) {
        const read = Promise.withResolvers<void>();
        addon.onDecode = (items) => items.some(({ position }) => position === 210) && read.resolve();
        done.push(submit(task));
        await read.promise;
      }
      for (const task of tasks) task.ended = true;
      await Promise.all(done);
      expect([started.map(({ cached }) => cached), addon.copied.length]).toEqual([[0, 200, 0], 1]);
    });

    it.each<[string, number, object]>([
      ['where it is short', 63, {}],
      ['where a sequence has so much room that copying takes longer than reading', 200, { contextSize: 131_072 }],
      ['for another adapter', 200, { adapter: {} }],
      ['for who wants it read anew', 200, { fresh: true }],
      ['for another asker', 200, { asker: 'somebody' }],
    ])('is not %s', async (_, common, more) => {
      const { addon, cached } = await askTwice(common, more);
      expect([cached, addon.copied]).toEqual([0, []]);
    });
  });
});
