import { describe, expect, it } from 'vitest';
import type { AdapterOffer, Offer } from '../../../../src-main/mesh/sharing/messages.ts';
import type { PeerOffer } from '../../../../src-main/mesh/sharing/offer-directory.ts';
import { offeredAdapters, offeredModels } from '../../../../src-main/mesh/sharing/offer-directory.ts';

function entry(offer: Partial<Offer>): PeerOffer {
  const defaults = {
    type: 'model-offer',
    name: 'model',
    bytes: 10,
    sha256: 'a',
    treeHash: 'a',
    from: 'stranger',
    licence: 'MIT',
  };
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

describe('the versions of adapters that peers share', () => {
  const version = (offer: Partial<AdapterOffer>): PeerOffer => {
    const defaults = { type: 'adapter-offer', name: 'personal', number: 3, bytes: 10, sha256: 'a', treeHash: 'a' };
    const whole = { ...defaults, base: 'm', baseName: 'tiny', from: 'stranger', ...offer } as AdapterOffer;
    return { offer: whole, peer: {} as PeerOffer['peer'] };
  };

  it('are no models, and models are none of them', () => {
    const offers = [entry({}), version({})];
    expect(offeredModels(offers, new Set())).toMatchObject([{ name: 'model' }]);
    expect(offeredAdapters(offers, new Set())).toMatchObject([{ name: 'personal', number: 3, base: 'm' }]);
  });

  it('are not taken together where file, model, name or number differ', () => {
    const [sha256, base, name, number] = [{ sha256: 'b' }, { base: 'n' }, { name: 'other' }, { number: 4 }];
    const offers = [version({ from: 'friend' }), ...[sha256, base, name, number].map(version)];
    const trusted = offeredAdapters(offers, new Set(['friend'])).map((each) => each.trusted);
    expect(trusted).toEqual([true, false, false, false, false]);
  });
});
