import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openedResult, replayed } from '../../../src-main/app/validator/replay-view.ts';
import { identityFromSeed, verify } from '../../../src-main/mesh/transport/identity.ts';
import { checkResult, type SignedResult } from '../../../src-main/store/results/signed-result.ts';
import { elr } from '../../../src-main/subnets/affine/elr/elr.ts';
import { judgedText, MOST_ANSWER, MOST_WRONG_ANSWER } from '../../../src-main/validation/answer-text.ts';
import { pose } from '../../../src-main/validation/challenge.ts';
import type { Environment } from '../../../src-main/validation/environment.ts';
import { replay } from '../../../src-main/validation/replay.ts';
import { isResultOf, readResult, signResult } from '../../../src-main/validation/result.ts';

const signer = identityFromSeed(Buffer.alloc(32, 7));
const other = identityFromSeed(Buffer.alloc(32, 8));
const ENVIRONMENTS = new Map([['elr', elr as Environment]]);
const { id: challengeId, judge, ...origin } = await pose(elr, 'usual', 'a seed');

function signed(answer: string | null = 'I do not know.', by = signer, worth?: number): SignedResult {
  const { environment, version: environmentVersion, level, seed } = origin;
  const { score: judged, reason } = judge(answer ?? '');
  const score = worth ?? judged;
  const about = { environment, environmentVersion, level, seed, challengeId };
  const answerer = { miner: 'm', model: 'some/model', revision: 'r' };
  const how = {
    success: answer !== null,
    error: null,
    attempts: 1,
    uid: 7,
    block: null,
    latencyMs: 12,
    createdAt: 1_795_000_000_000,
  };
  return signResult({ ...about, ...answerer, answer, score, reason, ...how }, by);
}

/** As it was signed when all of each answer was kept. */
const EARLIER = {
  payload:
    '{"answer":"I do not know.","answerSha256":"1bc2c6cbb5721d856ddef6cd0d1d2d0d336c0042dfb94ac8f8cf1c6f1fb9ff0a","attempts":1,"block":null,"challengeId":"9cfbcafaafbda25103a4c6c3c8411070103a5e0acb106641e5707b67fde1279e","createdAt":1795000000000,"environment":"elr","environmentVersion":"1","error":null,"latencyMs":12,"level":"usual","miner":"m","model":"some/model","reason":{"key":"affine.elr.noAnswer"},"revision":"r","score":0,"seed":"a seed","signer":"ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","success":true,"uid":7}',
  payloadSha256: 'e71395f845426543b2161c41cafb1a099a1ce9c7d2c44d3bd9634ce653d4bbdd',
  signature:
    '5103d290f876d505e017f167f6da459f2d73a98573cb8d87e6c0c9746d381cf65036e887577d581b8a916a7e2b44fdb7de4ab69eb36f256a168559c234ddf307',
};

/** One of that time with a long answer. */
function earlierOf(answer: string): SignedResult {
  const answerSha256 = createHash('sha256').update(answer).digest('hex');
  const payload = canonicalize({ ...JSON.parse(EARLIER.payload), answer, answerSha256 }) as string;
  const payloadSha256 = createHash('sha256').update(payload).digest('hex');
  const signature = signer.sign(Buffer.from(`quarry-result-1\n${payload}`));
  return { ...signed(), payload, payloadSha256, signature };
}

describe('a signed result', () => {
  it('is what was signed, and fits into the database', () => {
    const result = signed();
    expect(checkResult(result)).toEqual(result);
    expect(readResult(result, verify)).toMatchObject({ answer: 'I do not know.', seed: 'a seed', signer: signer.id });
  });

  it.each(Object.keys(signed()) as (keyof SignedResult)[])('of which %s was changed is none', (column) => {
    const result = signed();
    const { [column]: value } = result;
    const changed = typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : `${value}0`;
    expect(readResult({ ...result, [column]: changed }, verify)).toBeUndefined();
  });

  it('has no signature that is good for another one, or in another’s name', () => {
    const [one, two] = [signed('one'), signed('two')];
    expect(readResult({ ...one, signature: two.signature }, verify)).toBeUndefined();
    expect(readResult({ ...one, payload: two.payload, payloadSha256: two.payloadSha256 }, verify)).toBeUndefined();
    const foreign = signed('one', other);
    expect(readResult({ ...foreign, signer: signer.id }, verify)).toBeUndefined();
    expect(readResult({ ...one, signer: other.id, signature: foreign.signature }, verify)).toBeUndefined();
  });

  it('is kept whatever was answered', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 5_000 }), (answer) => {
        const result = signed(answer, signer, 0.5);
        checkResult(result);
        expect(readResult(result, verify)?.answer).toBe(judgedText(answer));
      }),
    );
    const long = signed('€'.repeat(1_000_000), signer, 1);
    checkResult(long);
    expect(readResult(long, verify)?.answer).toHaveLength(MOST_ANSWER);
    expect(readResult(signed('"'.repeat(1_000_000), signer, 1), verify)).toBeDefined();
    expect(() => checkResult(signed('\u0001'.repeat(1_000_000), signer, 1))).not.toThrow();
  });

  it('keeps the beginning of an answer that is worth nothing, in whole characters, and says how long it was', () => {
    const kept = (answer: string, worth?: number) => {
      const { payload } = signed(answer, signer, worth);
      expect(payload.length).toBeLessThan(MOST_WRONG_ANSWER + 1_000);
      const { answer: text, answerLength, answerSha256 } = JSON.parse(payload);
      expect(answerSha256).toBe(createHash('sha256').update(answer).digest('hex'));
      return { text, answerLength };
    };
    const [exact, more] = ['x'.repeat(MOST_WRONG_ANSWER), 'x'.repeat(MOST_WRONG_ANSWER - 1)];
    expect(kept(exact)).toEqual({ text: exact });
    expect(kept(`${exact}x`)).toEqual({ text: exact, answerLength: MOST_WRONG_ANSWER + 1 });
    expect(kept(`${more}😀`)).toEqual({ text: more, answerLength: MOST_WRONG_ANSWER + 1 });
    expect(kept('x'.repeat(1_000_000))).toEqual({ text: exact, answerLength: MOST_ANSWER });
    expect(kept(exact, 1)).toEqual({ text: exact });
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 4_000, maxLength: 9_000 }), (answer) => {
        const result = signed(answer, signer, 0);
        checkResult(result);
        const { answer: text, answerLength = text?.length } = readResult(result, verify) ?? {};
        expect(judgedText(answer).startsWith(text ?? '?')).toBe(true);
        expect([text?.isWellFormed(), answerLength]).toEqual([true, judgedText(answer).length]);
        expect(isResultOf([signer.id], `quarry-result-1\n${result.payload}`)).toBe(true);
      }),
    );
  });

  it('is as it was signed also where that was before only the beginning was kept', () => {
    expect(readResult({ ...signed(), ...EARLIER }, verify)?.answer).toBe('I do not know.');
    expect(signed()).toMatchObject(EARLIER); // what is short is signed as before
    expect(readResult(earlierOf('x'.repeat(9_000)), verify)?.answer).toHaveLength(9_000);
  });

  it('is read from anything without failing', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (payload, signature) => {
        expect(readResult({ ...signed(), payload, signature }, verify)).toBeUndefined();
      }),
    );
  });
});

describe('a challenge that is posed again', () => {
  it('is the same, with the same judgement', async () => {
    const told = await replay(signed(), ENVIRONMENTS, verify);
    expect(told).toMatchObject({ verdict: 'same', prompt: origin.prompt, answer: 'I do not know.' });
    expect(told.reason?.key).toBe('affine.elr.noAnswer');
    expect(await replay(signed(null), ENVIRONMENTS, verify)).toMatchObject({ verdict: 'same', answer: null });
  });

  it('is not judged again where only the beginning of its answer was kept, and that is told', async () => {
    const solved = `${'x'.repeat(5_000)}<Answer>1</Answer>`;
    const kinder = new Map([['elr', { ...elr, judge: () => ({ score: 1, reason: judge('').reason }) }]]);
    for (const environments of [ENVIRONMENTS, kinder]) {
      const told = await replay(signed(solved), environments, verify);
      expect(told).toMatchObject({ verdict: 'cut', prompt: origin.prompt, answerLength: solved.length });
      expect(told.answer).toBe('x'.repeat(MOST_WRONG_ANSWER));
      expect(told.reason?.key).toBe('affine.elr.wrong'); // as it was signed
    }
    const stored = { ...signed(solved), id: 7 };
    const view = await replayed(stored, 7, ENVIRONMENTS);
    expect(view.text).toMatch(
      /beginning of the answer was kept, 4,?000 of 5,?018 characters: it cannot be judged again/,
    );
    expect(await openedResult(stored, 7, ENVIRONMENTS)).toMatchObject({ standing: 'genuine', answerLength: 5_018 });
    expect(await replay(earlierOf(solved), ENVIRONMENTS, verify)).toMatchObject({
      verdict: 'same',
      answerLength: null,
    });
    const changed = new Map([['elr', { ...elr, prompt: () => 'Say something.' }]]);
    expect(await replay(signed(solved), changed, verify)).toMatchObject({ verdict: 'otherwise' });
  });

  it('shows nothing of a result that is not as it was signed', async () => {
    const told = await replay({ ...signed(), score: 1 }, ENVIRONMENTS, verify);
    const nothing = { prompt: null, answer: null, answerLength: null, firstByteMs: null, accuracy: null, reason: null };
    expect(told).toEqual({ verdict: 'forged', ...nothing });
  });

  it('is not there in a version that nobody has any more', async () => {
    const newer = new Map([['elr', { ...elr, version: '2' }]]);
    expect(await replay(signed(), newer, verify)).toMatchObject({ verdict: 'gone', prompt: null });
    expect(await replay(signed(), new Map(), verify)).toMatchObject({ verdict: 'gone' });
  });

  it('is another one where an environment has changed behind its version', async () => {
    const changed = new Map([['elr', { ...elr, prompt: () => 'Say something.' }]]);
    expect(await replay(signed(), changed, verify)).toMatchObject({ verdict: 'otherwise' });
    const kinder = new Map([['elr', { ...elr, judge: () => ({ score: 1, reason: judge('').reason }) }]]);
    expect(await replay(signed(), kinder, verify)).toMatchObject({ verdict: 'otherwise' });
  });
});

describe('a text that is to be signed for a validator', () => {
  const { payload } = signed('ä€😀');
  const text = `quarry-result-1\n${payload}`;
  const changed = (change: object) => `quarry-result-1\n${JSON.stringify({ ...JSON.parse(payload), ...change })}`;

  it('is a result that names it, to the letter', () => {
    expect(isResultOf([signer.id], text)).toBe(true);
    expect(isResultOf([other.id, signer.id], text)).toBe(true);
  });

  it.each([
    ['in another’s name', text, [other.id]],
    ['in nobody’s', text, []],
    ['of another kind', text.replace('quarry', 'other'), [signer.id]],
    ['with more around it', `${text} `, [signer.id]],
    ['in another order', text.replace(/"answer":("[^"]*"),(.*)}$/, '$2,"answer":$1}'), [signer.id]],
    ['with a field more', changed({ zzz: 1 }), [signer.id]],
    ['with a field of another kind', changed({ score: '1' }), [signer.id]],
    ['with half a character', text.replace('ä', '\\ud800'), [signer.id]],
    ['that is none', 'quarry-result-1\n', [signer.id]],
    ['that is nothing', 'quarry-result-1\nnull', [signer.id]],
  ])('is none %s', (_, other, signers) => {
    expect(isResultOf(signers, other)).toBe(false);
  });

  it('may be anything: nothing throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (any) => !isResultOf([signer.id], `quarry-result-1\n${any}`)));
    fc.assert(fc.property(fc.json(), (any) => !isResultOf([signer.id], `quarry-result-1\n${any}`)));
  });
});
