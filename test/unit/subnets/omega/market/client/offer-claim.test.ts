import { expect, it } from 'vitest';
import { identityFromSeed, verify } from '../../../../../../src-main/mesh/transport/identity.ts';
import {
  newOfferFile,
  type OfferedRecording,
  offerClaim,
} from '../../../../../../src-main/subnets/omega/market/client/selling/offer-claim.ts';
import { scoreCardBytes } from '../../../../../../src-main/subnets/omega/market/signing.ts';
import { submitSchema } from '../../../../../../src-main/subnets/omega/market/wire.ts';
import { SELLER } from '../../../../../support/small-market.ts';

const SIGNER = identityFromSeed(Buffer.alloc(32, 7));
const OFFERED: OfferedRecording = {
  recording: { title: 'Build a budget', description: 'With sums.', startedAt: 5 },
  video: { sha256: 'ab'.repeat(32), bytes: 5_000, durationMs: 61_000 },
  end: { chunks: 61, node: SIGNER.id, link: 'cd'.repeat(32), signature: 'ef'.repeat(64) },
  rules: { version: 'rules-2', score: 0.9 },
  signed: { payload: '{}', signature: 'ef'.repeat(64) },
  at: 7,
};
const claimOf = (changed: Partial<OfferedRecording> = {}) => {
  const claim = offerClaim({ ...OFFERED, ...changed }, SIGNER);
  const { scoreCard } = submitSchema.parse({ ...claim, wish: null, seller: SELLER });
  expect(verify(SIGNER.id, scoreCardBytes(claim), scoreCard.signature)).toBe(true);
  return claim;
};

it('a recording of a boosted task is offered as one, with its id; any other as an own one', () => {
  const { recording } = OFFERED;
  const task = { kind: 'boosted', id: 'budget', multiplier: 2 } as const;
  expect(claimOf({ recording: { ...recording, task } })).toMatchObject({
    kind: 'boosted',
    scoreCard: { task: 'budget', score: 0.9 },
  });
  expect(claimOf({ recording: { ...recording, task: { ...task, kind: 'platform' } } })).toMatchObject({
    kind: 'marketplace',
    scoreCard: { task: 'budget' },
  });
  for (const other of [recording, { ...recording, task: { ...task, kind: 'suggested' as const } }]) {
    const { kind, scoreCard } = claimOf({ recording: other });
    expect([kind, scoreCard.task]).toEqual(['user', undefined]);
  }
});

it('the signed score goes along, unless it is of other words than those that are told', () => {
  expect(claimOf().scoreCard.signed).toEqual(OFFERED.signed);
  expect(claimOf({ signed: null }).scoreCard.signed).toBeUndefined();
  expect(claimOf({ end: { ...OFFERED.end, node: 'ab'.repeat(32) } }).scoreCard.signed).toBeUndefined();
  const { description, scoreCard } = claimOf({ note: 'In my words.' });
  expect([description, scoreCard.signed]).toEqual(['In my words.', undefined]);
});

it('each offer has a file of its own: to forget one takes none from another', () => {
  expect(newOfferFile('/trade')).not.toBe(newOfferFile('/trade'));
});
