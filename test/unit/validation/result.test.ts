import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identityFromSeed, verify } from '../../../src-main/mesh/transport/identity.ts';
import { checkResult, type SignedResult } from '../../../src-main/store/results/signed-result.ts';
import { elr } from '../../../src-main/subnets/affine/elr/elr.ts';
import { judgedText, MOST_ANSWER } from '../../../src-main/validation/answer-text.ts';
import { pose } from '../../../src-main/validation/challenge.ts';
import type { Environment } from '../../../src-main/validation/environment.ts';
import { replay } from '../../../src-main/validation/replay.ts';
import { isResultOf, readResult, signResult } from '../../../src-main/validation/result.ts';

const signer = identityFromSeed(Buffer.alloc(32, 7));
const other = identityFromSeed(Buffer.alloc(32, 8));
const ENVIRONMENTS = new Map([['elr', elr as Environment]]);
const { id: challengeId, judge, ...origin } = await pose(elr, 'usual', 'a seed');

function signed(answer: string | null = 'I do not know.', by = signer): SignedResult {
  const { environment, version: environmentVersion, level, seed } = origin;
  const { score, reason } = judge(answer ?? '');
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
        const result = signed(answer);
        checkResult(result);
        expect(readResult(result, verify)?.answer).toBe(judgedText(answer));
      }),
    );
    const long = signed('€'.repeat(1_000_000));
    checkResult(long);
    expect(readResult(long, verify)?.answer).toHaveLength(MOST_ANSWER);
    expect(readResult(signed('"'.repeat(1_000_000)), verify)).toBeDefined();
    expect(() => checkResult(signed('\u0001'.repeat(1_000_000)))).not.toThrow();
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
    expect(await replay(signed('x'.repeat(1_000_000)), ENVIRONMENTS, verify)).toMatchObject({ verdict: 'same' });
  });

  it('shows nothing of a result that is not as it was signed', async () => {
    const told = await replay({ ...signed(), score: 1 }, ENVIRONMENTS, verify);
    expect(told).toEqual({ verdict: 'forged', prompt: null, answer: null, reason: null });
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
