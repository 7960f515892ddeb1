import { describe, expect, it } from 'vitest';
import type { Offer } from '../../../../src-main/mesh/sharing/messages.ts';
import type { PeerOffer } from '../../../../src-main/mesh/sharing/offer-directory.ts';
import { offeredModels } from '../../../../src-main/mesh/sharing/offer-directory.ts';

function entry(offer: Partial<Offer>): PeerOffer {
  const defaults = { name: 'model', bytes: 10, sha256: 'a', treeHash: 'a', from: 'stranger', licence: 'MIT' };
  return { offer: { ...defaults, ...offer } as Offer, peer: {} as PeerOffer['peer'] };
}

describe('the models that peers share', () => {
  it('are each told once, with who vouches for it and how many have it', () => {
    const twice = entry({});
    const offers = [twice, { ...twice }, entry({ from: 'other' })];
    expect(offeredModels(offers, new Set())).toMatchObject([
      { name: 'model', signers: ['stranger', 'other'], trusted: false, seeders: 2 },
    ]);
  });

  it('are as a trusted signer describes them, if one does', () => {
    const offers = [entry({ licence: 'none' }), entry({ from: 'friend', licence: 'Apache-2.0' })];
    expect(offeredModels(offers, new Set(['friend']))).toMatchObject([
      { licence: 'Apache-2.0', trusted: true, seeders: 2 },
    ]);
  });

  it('are not taken together where SHA-256, name or length differ', () => {
    const offers = [entry({ from: 'friend' }), entry({ bytes: 11 }), entry({ name: 'other' }), entry({ sha256: 'b' })];
    const trusted = offeredModels(offers, new Set(['friend'])).map((model) => model.trusted);
    expect(trusted).toEqual([true, false, false, false]);
  });
});
