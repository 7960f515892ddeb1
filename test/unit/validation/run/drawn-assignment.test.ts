import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identityFromSeed, verify } from '../../../../src-main/mesh/transport/identity.ts';
import type { Assignment, DrawnAssignment } from '../../../../src-main/store/results/leases.ts';
import { isAsDrawn, signAssignment } from '../../../../src-main/validation/run/drawn-assignment.ts';

const signer = identityFromSeed(Buffer.alloc(32, 7));
const other = identityFromSeed(Buffer.alloc(32, 8));
const text = fc.string({ unit: 'grapheme' });
const assignment = fc.record({ environment: text, version: text, level: text, seed: text, miner: text });
const drawn = assignment.map((one: Assignment) => signAssignment(one, signer));
const field = fc.constantFrom<keyof DrawnAssignment>(
  ...(['environment', 'version', 'level', 'seed', 'miner', 'drawnBy', 'signature'] as const),
);
/** What a database may hold, and what it may not. */
const odd = fc.oneof(
  fc.constantFrom(Number.NaN, -1, -0, Number.POSITIVE_INFINITY, null, undefined, '', '\ud800', Symbol('s')),
  fc.anything({ withBigInt: true, withTypedArray: true, withNullPrototype: true, withSparseArray: true }),
  fc.string({ unit: 'binary' }),
);

describe('an assignment', () => {
  it('is as it was drawn, whatever its texts are', () => {
    fc.assert(fc.property(drawn, (one) => isAsDrawn(one, verify)));
  });

  it('is not, without an error, once one of its fields is another, of whatever kind', () => {
    fc.assert(
      fc.property(drawn, field, odd, (one, name, value) => {
        fc.pre(!Object.is(one[name], value));
        return isAsDrawn({ ...one, [name]: value }, verify) === false;
      }),
      { numRuns: 500 },
    );
  });

  it.each<[string, object]>([
    ['one in a list', [signAssignment({ ...texts(), seed: '1' }, signer).signature]],
    ['one with a method', { toString: () => signAssignment({ ...texts(), seed: '1' }, signer).signature }],
  ])('is not by a signature that is %s', (_, signature) => {
    const one = { ...signAssignment({ ...texts(), seed: '1' }, signer), signature } as unknown as DrawnAssignment;
    expect(isAsDrawn(one, verify)).toBe(false);
  });

  it('is not by a key that is none, or another one', () => {
    const one = signAssignment(texts(), signer);
    for (const drawnBy of ['', 'zz', '0'.repeat(63), 'f'.repeat(64), `${signer.id}00`, other.id])
      expect(isAsDrawn({ ...one, drawnBy }, verify)).toBe(false);
  });
});

function texts(): Assignment {
  return { environment: 'sat', version: '1', level: 'easy', seed: 'a', miner: 'm' };
}
