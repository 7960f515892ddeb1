import { describe, expect, it } from 'vitest';
import { commitHash, newSalt, storageIndex } from '../../../../src-main/bittensor/chain/commit-reveal.ts';

const ALICE = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('commit-reveal v2', () => {
  // Bittensor §3.3: the sheet's vectors.
  it.each([
    [0, '90a07ca3d432a1042cc4a74d10dd6188a073d31532b1740c97ce4673421fd3c9'],
    [1, 'e827164484d3d50588578e2207a996887efa272114d483382f2b39f9b332570b'],
  ])('hashes weights of mechanism %i as the chain does', (mechanism, expected) => {
    const weights = { uids: [0, 1, 5], values: [65_535, 32_768, 1], salt: [8, 2, 65_535], versionKey: 10_002_000n };
    expect(hex(commitHash({ hotkey: ALICE, netuid: 3, mechanism, ...weights }))).toBe(expected);
  });

  it('knows where the chain keeps the weights of a mechanism', () =>
    expect([storageIndex(3), storageIndex(3, 1)]).toEqual([3, 4_099]));

  it('draws another salt each time', () => {
    expect(newSalt()).toHaveLength(8);
    expect(newSalt()).not.toEqual(newSalt());
  });
});
