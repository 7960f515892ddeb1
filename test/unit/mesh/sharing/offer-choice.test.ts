import { describe, expect, it } from 'vitest';
import type { Offer } from '../../../../src-main/mesh/sharing/messages.ts';
import { chooseOffers } from '../../../../src-main/mesh/sharing/offer-choice.ts';
import type { PeerOffer } from '../../../../src-main/mesh/sharing/offer-directory.ts';

const digest = (digit: string) => digit.repeat(64);
const A = digest('a');
const B = digest('b');

function entry(offer: Partial<Offer>): PeerOffer {
  const defaults = { name: 'model', bytes: 10, sha256: A, treeHash: A, from: digest('0') };
  return { offer: { ...defaults, ...offer } as Offer, peer: {} as PeerOffer['peer'] };
}

const trust = (signers: string[] = [], anyone = false) => ({ signers: new Set(signers), anyone });
const wanted = { name: 'model', urls: [] };

describe('the offers to fetch from', () => {
  it('are those with the wanted SHA-256, whatever they call it and whoever signed', () => {
    const offers = [entry({ name: 'other' }), entry({ sha256: B })];
    expect(chooseOffers(offers, { ...wanted, sha256: A }, trust())).toEqual([offers[0]]);
  });

  it('are none of another length than the wanted one', () => {
    expect(chooseOffers([entry({})], { ...wanted, sha256: A, bytes: 11 }, trust())).toEqual([]);
  });

  it('are trusted signers’ when only the name is wanted', () => {
    const offers = [entry({ from: digest('1') }), entry({ from: digest('2'), sha256: B })];
    expect(chooseOffers(offers, wanted, trust())).toEqual([]);
    expect(chooseOffers(offers, wanted, trust([digest('2')]))).toEqual([offers[1]]);
    expect(chooseOffers(offers, { ...wanted, name: 'other' }, trust([digest('2')]))).toEqual([]);
  });

  it('may be a stranger’s when the user says so, of the wanted name', () => {
    const offers = [entry({}), entry({ name: 'other' })];
    expect(chooseOffers(offers, wanted, trust([], true))).toEqual([offers[0]]);
  });

  it('are of one file only: what more trusted signers say, then what more peers have', () => {
    const many = [entry({ treeHash: B }), entry({ treeHash: B, from: digest('3') })];
    const vouched = entry({ from: digest('2') });
    const file = { ...wanted, sha256: A };
    expect(chooseOffers([vouched, ...many], file, trust())).toEqual(many);
    expect(chooseOffers([...many, vouched], file, trust([digest('2')]))).toEqual([vouched]);
  });
});
