import { pino } from 'pino';
import { expect, it } from 'vitest';
import {
  type ExamineeNeeds,
  namedTarget,
  openExaminee,
} from '../../../../../src-main/app/evaluation/examinees/examinees.ts';
import type { AnswerEvent } from '../../../../../src-main/inference/backend.ts';
import type { AskEvent, AskRequest } from '../../../../../src-preload/contract/inference.ts';
import type { GenerateRequest } from '../../../../../src-preload/contract/request.ts';

const RESULT = { text: '<think>1? 2.</think>two', promptTokens: 9, cachedTokens: 4, completionTokens: 3 };
const EVENTS = [
  { type: 'chunk', text: 'o', tokens: 1 },
  { type: 'restart', worker: 'w', reason: 'gone' },
  { type: 'chunk', text: 'two', tokens: 1 },
  { type: 'done', result: RESULT },
] as unknown as AskEvent[];

const NO_AXONS = {
  asker: () => undefined,
  openHotkey: () => Promise.reject(new Error('there is none')),
  neurons: async () => undefined,
  allowInside: false,
};

function world(counted?: number) {
  const asked: AskRequest[] = [];
  const askedHere: GenerateRequest[] = [];
  const loads = { now: 0 };
  const needs: ExamineeNeeds = {
    async *ask(request) {
      asked.push(request);
      yield* EVENTS;
    },
    async *askLong(request) {
      askedHere.push(request);
      yield* EVENTS as AnswerEvent[];
    },
    keyFor: () => undefined,
    axons: NO_AXONS,
    netuid: () => 3,
    log: pino({ level: 'silent' }),
    own: () => ({
      async load() {
        loads.now++;
        return { [Symbol.dispose]: () => void loads.now-- };
      },
      is: () => ({ name: 'tiny', sha256: 'ab', contextSize: 1_024 }),
      named: undefined,
      fit: async () => undefined,
      count: async () => counted,
    }),
  };
  return { asked, askedHere, loads, needs };
}

const { signal } = new AbortController();
const QUESTION = { dataset: 'needle', context: '', prompt: 'How many?' };
const HOW = { maxTokens: 16, signal };

it('asks this node’s model as it is, whatever it has learnt, and without chance; it stays loaded meanwhile', async () => {
  const { askedHere, loads, needs } = world(7);
  {
    await using own = await openExaminee(needs, { kind: 'local' }, signal);
    expect(own).toMatchObject({ model: 'tiny', sha256: 'ab' });
    expect(await own.count('some words')).toBe(7);
    await own.ask(QUESTION, HOW);
    expect(loads.now).toBe(1);
  }
  expect(loads.now).toBe(0);
  const messages = [{ role: 'user', content: 'How many?' }];
  expect(askedHere).toEqual([{ input: { messages }, maxTokens: 16, temperature: 0 }]);
});

it('knows the built-in model', async () => {
  const { needs } = world();
  const builtIn = { name: 'tiny', contextSize: 1_024, tiny: true };
  await using own = await openExaminee(
    { ...needs, own: () => ({ ...needs.own(), is: () => builtIn }) },
    { kind: 'local' },
    signal,
  );
  await using other = await openExaminee(needs, { kind: 'local' }, signal);
  expect([own.isBuiltIn, other.isBuiltIn]).toEqual([true, false]);
});

it('asks the mesh for a model, or for any', async () => {
  const { asked, needs } = world();
  await using any = await openExaminee(needs, { kind: 'mesh' }, signal);
  await using named = await openExaminee(needs, { kind: 'mesh', model: 'm' }, signal);
  await any.ask(QUESTION, HOW);
  await named.ask(QUESTION, HOW);
  expect([any.model, named.model]).toEqual(['mesh', 'm']);
  expect(asked.map(({ target, model }) => ({ target, model }))).toEqual([
    { target: 'mesh', model: undefined },
    { target: 'mesh', model: 'm' },
  ]);
});

it('counts roughly where nobody can count', async () => {
  const { needs } = world();
  await using own = await openExaminee(needs, { kind: 'local' }, signal);
  expect(await own.count('a'.repeat(401))).toBe(101);
});

it('takes what was said, without what was thought, with the counts of whoever answered', async () => {
  const { needs } = world();
  await using own = await openExaminee(needs, { kind: 'local' }, signal);
  const answer = await own.ask(QUESTION, HOW);
  expect(answer).toMatchObject({ text: 'two', promptTokens: 9, cachedTokens: 4, answerTokens: 3 });
  expect(answer.firstMs).toBeLessThanOrEqual(answer.totalMs);
});

it('means a miner of the subnet that is set, unless it is said which or where', () => {
  const { needs } = world();
  const axon = { kind: 'axon' as const, hotkey: '5x' };
  expect(namedTarget(needs, axon)).toEqual({ ...axon, netuid: 3 });
  expect(namedTarget(needs, { ...axon, netuid: 9 })).toEqual({ ...axon, netuid: 9 });
  const at = { ip: '203.0.113.9', port: 8_091 };
  expect(namedTarget(needs, { ...axon, at })).toEqual({ ...axon, at });
  expect(namedTarget({ ...needs, netuid: () => undefined }, axon)).toEqual(axon);
});
