import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { identityFromSeed } from '../../../../../src-main/mesh/transport/identity.ts';
import { signScore } from '../../../../../src-main/subnets/omega/focus/signed-score.ts';
import { OMEGA_TERMS } from '../../../../../src-main/subnets/omega/market/rules/terms.ts';
import type { Submit } from '../../../../../src-main/subnets/omega/market/wire.ts';
import { testIdentity } from '../../../../support/credit-nodes.ts';
import { openTestMarket } from '../../../../support/market-server.ts';

const RECORDING = '6f1c1f5e-0000-4000-8000-000000000001';
const LINK = 'a'.repeat(64);
const TASK = { title: 'Write a parser', description: '' };

/** What a seller’s node signs of its own score. */
function signedBy(
  signer = testIdentity(1),
  { score = 0.8 as number | null, content = LINK, task = TASK, passed = true } = {},
) {
  const scored = {
    rules: { version: 'rules-2', score: 0.9 },
    model: null,
    score,
    outcome: passed ? 'passed' : 'failed',
  };
  return signScore({ recording: RECORDING, content, task, at: 5 }, scored as never, signer);
}

async function offered(signed: Submit['scoreCard']['signed'], marketScore = 0.5) {
  const score = async () => ({ score: marketScore, reason: 'It shows work.', review: false });
  const market = await openTestMarket({ score });
  const video = randomBytes(3_000);
  const submit = market.submitOf(video);
  return { market, video, submit: { ...submit, scoreCard: { ...submit.scoreCard, ...(signed && { signed }) } } };
}

it.each([
  ['lower than the market’s: it counts', 0.4, 0.6, { state: 'submitted', score: 0.4 }],
  ['higher: the market’s counts', 0.8, 0.55, { state: 'submitted', score: 0.55 }],
  ['above 1, as a boost makes it: it is 1', 3, 0.75, { state: 'submitted', score: 0.75 }],
  ['far higher: a person looks', 0.95, 0.5, { state: 'review', score: 0.5, price: null }],
  ['far lower: a person looks', 0.3, 0.9, { state: 'review', score: 0.3, price: null }],
  ['high, of what the market refuses: it stays refused', 0.95, 0.02, { state: 'rejected', score: 0.02 }],
])('a signed score is %s', async (_, own, theirs, wanted) => {
  const { market, video, submit } = await offered(signedBy(undefined, { score: own }), theirs);
  const { status, body } = await market.ask(market.seller, 'POST /offers', submit);
  expect(status, JSON.stringify(body)).toBe(201);
  await market.piece(body.id, video, 0, video.length);
  expect(await market.looked(body.id)).toMatchObject(wanted);
});

it('without one the market’s score counts alone', async () => {
  const { market, video, submit } = await offered(undefined, OMEGA_TERMS.leastScore);
  const { body } = await market.ask(market.seller, 'POST /offers', submit);
  await market.piece(body.id, video, 0, video.length);
  expect(await market.looked(body.id)).toMatchObject({ state: 'submitted', score: OMEGA_TERMS.leastScore });
});

it.each([
  ['that was changed', { ...signedBy(), payload: signedBy().payload.replace('0.8', '0.9') }, /not signed/],
  [
    'signed by somebody else in its name',
    { ...signedBy(), signature: signedBy(identityFromSeed(Buffer.alloc(32, 9))).signature },
    /not signed/,
  ],
  ['of another node', signedBy(identityFromSeed(Buffer.alloc(32, 9))), /another node/],
  ['of another recording', signedBy(undefined, { content: 'c'.repeat(64) }), /another recording/],
  ['for another task', signedBy(undefined, { task: { ...TASK, description: 'Easier.' } }), /another title/],
  ['that did not pass', signedBy(undefined, { passed: false }), /none that passed/],
  ['without a score', signedBy(undefined, { score: null }), /none that passed/],
])('a signed score %s is refused', async (_, signed, message) => {
  const { market, submit } = await offered(signed);
  const { status, body } = await market.ask(market.seller, 'POST /offers', submit);
  expect([status, body.error]).toMatchObject([
    400,
    { field: 'scoreCard.signed', message: expect.stringMatching(message) },
  ]);
});
