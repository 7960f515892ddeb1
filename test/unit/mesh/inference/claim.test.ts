import { describe, expect, it } from 'vitest';
import type { TokenEvidence } from '../../../../src-main/inference/evidence.ts';
import {
  type ClaimBody,
  claimSchema,
  evidenceHash,
  evidenceOf,
  isClaimOf,
  MAX_EVIDENCE,
  signClaim,
  type ToldToken,
  toldTokenSchema,
  toldTokens,
} from '../../../../src-main/mesh/inference/claim.ts';
import { identityFromSeed } from '../../../../src-main/mesh/transport/identity.ts';

const worker = identityFromSeed(Buffer.alloc(32, 1));
const another = identityFromSeed(Buffer.alloc(32, 2));
const hash = (digit: string) => digit.repeat(64);
const TOKENS: ToldToken[] = [
  [
    7,
    -1_200,
    [
      [7, -1_200],
      [9, -1_900],
    ],
  ],
  [8, 0, [[8, 0]]],
];
const ABOUT = {
  ...{ requestId: '1'.repeat(32), worker: worker.id, client: another.id },
  ...{ promptHash: hash('a'), resultHash: hash('b') },
};
const BODY: ClaimBody = { ...ABOUT, model: hash('c'), evidenceHash: evidenceHash(TOKENS) };

describe('a claim', () => {
  const claim = signClaim(BODY, worker);

  it('is about the answer that it names, whatever file it is by', () => {
    expect(claimSchema.safeParse(claim).success).toBe(true);
    expect(isClaimOf(claim, ABOUT, TOKENS)).toBe(true);
    expect(isClaimOf(signClaim({ ...BODY, model: hash('d') }, worker), ABOUT, TOKENS)).toBe(true);
  });

  it('is about no other answer', () => {
    for (const other of [
      { requestId: '2'.repeat(32) },
      { worker: another.id },
      { client: worker.id },
      { promptHash: hash('e') },
      { resultHash: hash('e') },
    ])
      expect(isClaimOf(claim, { ...ABOUT, ...other }, TOKENS), JSON.stringify(other)).toBe(false);
  });

  it('is about no other tokens: none may be missing, none changed, and their order counts', () => {
    const [first, second] = TOKENS as [ToldToken, ToldToken];
    for (const others of [[], [first], [second, first], [first, second, second], [first, [8, -1, [[8, 0]]]]]) {
      expect(isClaimOf(claim, ABOUT, others as ToldToken[])).toBe(false);
    }
  });

  it('is signed by its worker, and all of it is', () => {
    const byAnother = signClaim(BODY, another);
    expect(isClaimOf(byAnother, ABOUT, TOKENS)).toBe(false);
    expect(isClaimOf({ ...claim, sig: byAnother.sig }, ABOUT, TOKENS)).toBe(false);
    // Another file under the same signature.
    expect(isClaimOf({ ...claim, body: { ...BODY, model: hash('d') } }, ABOUT, TOKENS)).toBe(false);
    // What is signed for as another author's is not his.
    const as = { ...ABOUT, worker: another.id };
    expect(isClaimOf(signClaim({ ...BODY, worker: another.id }, worker), as, TOKENS)).toBe(false);
  });
});

describe('evidence', () => {
  const evidence: TokenEvidence[] = [
    {
      id: 7,
      logprob: -1.23456,
      top: [
        [7, -1.23456],
        [9, -0.0004],
      ],
    },
    { id: 8, logprob: Number.NEGATIVE_INFINITY, top: [] },
  ];

  it('crosses the mesh in thousandths of a nat, what is unthinkable as the least there is', () => {
    const told = toldTokens(evidence);
    expect(told).toEqual([
      [
        7,
        -1_235,
        [
          [7, -1_235],
          [9, 0],
        ],
      ],
      [8, -10_000_000, []],
    ]);
    expect(told.every((token) => toldTokenSchema.safeParse(token).success)).toBe(true);
    expect(JSON.stringify(told)).not.toContain('-0,');
    expect(Object.is(told[0]?.[2][1]?.[1], 0)).toBe(true); // no −0: JSON would not have it
  });

  it('is read as it was told', () => {
    const read = evidenceOf(toldTokens(evidence));
    expect(read).toEqual([
      {
        id: 7,
        logprob: -1.235,
        top: [
          [7, -1.235],
          [9, 0],
        ],
      },
      { id: 8, logprob: -10_000, top: [] },
    ]);
    expect(toldTokens(read)).toEqual(toldTokens(evidence));
  });

  it('has ten of the likeliest at the most, no token that there cannot be and no chance above 1', () => {
    const top = (count: number) => Array.from({ length: count }, (_, id) => [id, -id]);
    expect(toldTokenSchema.safeParse([1, -1, top(10)]).success).toBe(true);
    for (const wrong of [
      [1, -1, top(11)],
      [-1, -1, []],
      [2 ** 32, -1, []],
      [1, 1, []],
      [1, -0.5, []],
      [1, -1, [[1]]],
    ])
      expect(toldTokenSchema.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false);
    expect(MAX_EVIDENCE).toBe(16_385); // the longest answer that comes with some, and the token that ended it
  });
});
