import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { noteOn, tell } from '../../../../src-main/cli/chat/ask.ts';
import type { Output } from '../../../../src-main/cli/terminal/output.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { AskEvent, GenerateResult, Paid } from '../../../../src-preload/contract/inference.ts';

const result: GenerateResult = {
  text: 'So it is.',
  finish: 'stop',
  promptTokens: 9,
  cachedTokens: 0,
  completionTokens: 4,
  queuedMs: 0,
  firstTokenMs: 9,
  totalMs: 16,
  tokensPerSecond: 454.4,
};

it('says of the rate that it is of the writing alone: the time has the reading in it', () => {
  expect(noteOn({ type: 'done', result })).toBe('4 tokens in 16 ms; once it wrote, 454 tokens/s');
});

it('names no rate where there is none to measure', () => {
  const one = { ...result, completionTokens: 1, tokensPerSecond: 0 };
  expect(noteOn({ type: 'done', result: one })).toBe('1 token in 16 ms');
});

it.each<[string, Paid['from'][]]>([
  ['2 credits from what it owed you', ['claim']],
  ['2 credits by voucher', ['vouchers']],
  ['2 credits on trust', ['gift']],
  ['2 credits on trust, vouched for by another node', ['word']],
  ['2 credits among friends', ['friend']],
  ['4 credits on trust', ['gift', 'gift']],
  ['4 credits on trust and from what it owed you', ['gift', 'claim']],
])('says what an answer of the mesh cost: %s', (text, sources) => {
  const paid = sources.map((from) => ({ worker: 'ab'.repeat(32), credits: 2, from }));
  expect(noteOn({ type: 'done', result }, paid)).toBe(`4 tokens in 16 ms; once it wrote, 454 tokens/s; ${text}`);
});

/** What a command writes of these events, and what it fails with. */
async function told(target: 'local' | 'mesh', ...script: (AskEvent | Error)[]) {
  const written = { notes: [] as string[], documents: [] as unknown[] };
  const output: Output = {
    json: true,
    line: () => {},
    write: () => {},
    note: (text) => written.notes.push(stripVTControlCharacters(text)),
    document: (value) => written.documents.push(value),
  };
  async function* events() {
    for (const step of script) {
      if (step instanceof Error) throw step;
      yield step;
    }
  }
  const failure = await tell(events(), target, output).catch((error: unknown) => error);
  return { ...written, failure };
}

describe('what was paid', () => {
  const worker = 'ab'.repeat(32);
  const part = { worker: 'cd'.repeat(32), credits: 1, from: 'claim' } as const;
  const whole = { worker, credits: 2, from: 'gift' } as const;

  it('stands in the document of an answer of the mesh, by worker, and in none of this machine', async () => {
    const paid = [part, whole].map((one) => ({ type: 'paid', ...one }) as const);
    const { documents } = await told('mesh', { type: 'worker', worker }, ...paid, { type: 'done', result });
    expect(documents).toEqual([{ target: 'mesh', worker, ...result, paid: [part, whole] }]);
    expect((await told('local', { type: 'done', result })).documents).toEqual([{ target: 'local', ...result }]);
  });

  it('is told of an answer that failed, too', async () => {
    const late = new QuarryError({ code: 'DEADLINE', message: 'Too late.' });
    const { notes, failure } = await told('mesh', { type: 'paid', ...part }, late);
    expect([notes, failure]).toEqual([['what came of it: 1 credit from what it owed you'], late]);
    expect((await told('mesh', late)).notes).toEqual([]);
  });
});

it('counts places in the queue from one, and says nothing of a queue where the answer begins at once', () => {
  const worker = 'ab'.repeat(32);
  expect(noteOn({ type: 'queued', worker, position: 0, etaMs: 2_000 })).toMatch(
    /^place 1 in the queue of abababab.*, about 2/,
  );
  expect(noteOn({ type: 'queued', worker, position: 0, etaMs: 0 })).toBeUndefined();
});
