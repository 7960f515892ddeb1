import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { seededRandom } from '../../src-main/base/seeded-random.ts';
import type { LocalBackend } from '../../src-main/inference/host/local-backend.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { ENDLESS, SLOW, tinyEngine } from '../support/engine.ts';
import { ROUNDS } from '../support/rounds.ts';

/** `vitest --mode heavy` makes ten thousand of them. */
const REQUESTS = 1_000 * ROUNDS;
const PARALLEL = 4;
const CLIENTS = 12;
/** Of the page size, in which Linux counts. */
const PAGE_BYTES = 4_096;
/**
 * What the process may grow by, in bytes: V8 takes more of a heap that is full of garbage, 35 MB in ten thousand requests, and 1 MB of what
 * is not its heap.
 */
const GROWTH = 64_000_000;

/** Bytes of its memory that no other process has, and that come from no file. */
function heldBy({ pid }: LocalBackend): number {
  const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ').map(Number);
  return (resident - shared) * PAGE_BYTES;
}

/** Asks and gives up, some at once, some amid their answer, some never. */
async function client(engine: LocalBackend, take: () => number | undefined): Promise<void> {
  for (let number = take(); number !== undefined; number = take()) {
    const random = seededRandom(number);
    const stop = new AbortController();
    const giveUpAfter = random.uniform() < 0.5 ? Math.floor(random.uniform() * 12) : Number.POSITIVE_INFINITY;
    const prompt = `Request ${number}: ${'word '.repeat(Math.floor(random.uniform() * 60))}`;
    let pieces = 0;
    try {
      if (giveUpAfter === 0) stop.abort();
      const request = { input: { prompt }, maxTokens: 1 + Math.floor(random.uniform() * 16) };
      for await (const _ of engine.generate(request, { signal: stop.signal }))
        if (++pieces >= giveUpAfter) stop.abort();
    } catch (error) {
      expect(QuarryError.from(error).code).toBe('CANCELLED');
    }
  }
}

it.skipIf(process.platform !== 'linux')(
  'requests that are given up at any moment leave no sequence taken, and no memory',
  async () => {
    const engine = tinyEngine({ parallel: PARALLEL });
    await engine.open();
    try {
      let next = 0;
      const until = (end: number) => () => (next < end ? next++ : undefined);
      const ask = (end: number) => Promise.all(Array.from({ length: CLIENTS }, () => client(engine, until(end))));
      await ask(REQUESTS / 10);
      const before = heldBy(engine);
      await ask(REQUESTS);
      expect(heldBy(engine) - before).toBeLessThan(GROWTH);
      expect(engine.status()).toMatchObject({ active: 0, waiting: 0 });
      await allBegin(engine);
    } finally {
      await engine.close();
    }
  },
);

/** As many as there are sequences, none of which ends before all have begun. */
async function allBegin(engine: LocalBackend): Promise<void> {
  engine.setSpeed(SLOW);
  const answers = Array.from({ length: PARALLEL }, () => engine.generate(ENDLESS)[Symbol.asyncIterator]());
  const first = await Promise.all(answers.map((answer) => answer.next()));
  expect(first.map(({ value }) => value?.type)).toEqual(Array.from({ length: PARALLEL }, () => 'chunk'));
  await Promise.all(answers.map((answer) => answer.return?.(undefined)));
}
