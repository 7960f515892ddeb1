import { describe, expect, it } from 'vitest';
import type { AnyOffer, Offer } from '../../../../src-main/mesh/sharing/messages.ts';
import { type ChoiceGrounds, chooseOffer } from '../../../../src-main/mesh/sharing/offer-choice.ts';
import { claimOf, type PeerOffer } from '../../../../src-main/mesh/sharing/offer-directory.ts';
import type { WantedModel } from '../../../../src-main/models/wanted-model.ts';

const digest = (digit: string) => digit.repeat(64);
const A = digest('a');
const B = digest('b');

function entry(offer: Partial<Offer>): PeerOffer {
  const defaults = { type: 'model-offer', name: 'model', bytes: 10, sha256: A, treeHash: A, from: digest('0') };
  return { offer: { ...defaults, ...offer } as Offer, peer: {} as PeerOffer['peer'] };
}

const wanted = { name: 'model', urls: [] };

/** The chosen offer. */
function choose(offers: PeerOffer[], what: WantedModel, grounds: Partial<ChoiceGrounds> = {}): AnyOffer | undefined {
  return chooseOffer(offers, what, { signers: new Set(), chosen: undefined, failed: new Set(), ...grounds });
}

describe('the file to fetch', () => {
  const file = { ...wanted, sha256: A };
  const claim = ({ offer }: PeerOffer) => claimOf(offer);

  it('is the one with the wanted SHA-256, whatever they call it and whoever signed', () => {
    const offers = [entry({ sha256: B }), entry({ name: 'other' })];
    expect(choose(offers, file)).toBe(offers[1]?.offer);
  });

  it('is none of another length than the wanted one', () => {
    expect(choose([entry({})], { ...file, bytes: 11 })).toBeUndefined();
  });

  it('is not as long as strangers say, however many do, where another one is shorter and may be it', () => {
    const [honest, ...lies] = [entry({}), entry({ bytes: 2 ** 40 }), entry({ bytes: 2 ** 40 })];
    const failed = new Set([claim(honest)]);
    expect(choose([...lies, honest], file)).toBe(honest.offer);
    expect(choose([...lies, honest], file, { failed })?.bytes).toBe(2 ** 40);
    const signers = new Set([digest('2')]);
    const vouched = entry({ bytes: 11, from: digest('2') });
    expect(choose([...lies, honest, vouched], file, { signers })).toBe(vouched.offer);
  });

  it('is none that is offered as something else', () => {
    const adapter = { name: 'personal', base: B, from: digest('1') };
    const asAdapter = entry({});
    asAdapter.offer = { ...asAdapter.offer, type: 'adapter-offer', number: 1, base: B, baseName: 'tiny' } as AnyOffer;
    expect(choose([asAdapter], file)).toBeUndefined();
    expect(choose([entry({})], { ...file, adapter })).toBeUndefined();
    expect(choose([entry({}), asAdapter], { ...file, adapter })).toBe(asAdapter.offer);
  });

  it('is a trusted signer’s when only the name is wanted', () => {
    const offers = [entry({ from: digest('1') }), entry({ from: digest('2'), sha256: B })];
    const signers = new Set([digest('2')]);
    expect(choose(offers, wanted)).toBeUndefined();
    expect(choose(offers, wanted, { signers })).toBe(offers[1]?.offer);
    expect(choose(offers, { ...wanted, name: 'other' }, { signers })).toBeUndefined();
  });

  it('is what more trusted signers say, then what more peers have, however often one says it', () => {
    const vouched = entry({ from: digest('2') });
    const many = [entry({ treeHash: B }), entry({ treeHash: B, from: digest('3') })];
    const repeated = Array.from({ length: 9 }, () => ({ ...vouched }));
    expect(choose([...repeated, ...many], file)?.treeHash).toBe(B);
    expect(choose([...many, vouched], file, { signers: new Set([digest('2')]) })).toBe(vouched.offer);
  });

  it('is the one that was chosen before as long as somebody offers it', () => {
    const [before, ...many] = [entry({}), entry({ treeHash: B }), entry({ treeHash: B })];
    expect(choose([...many, before], file, { chosen: claim(before) })).toBe(before.offer);
    expect(choose(many, file, { chosen: claim(before) })?.treeHash).toBe(B);
  });

  it('is one that failed only when there is no other, and then the one that failed longest ago', () => {
    const [first, second, fresh] = [entry({}), entry({ treeHash: B }), entry({ treeHash: digest('c') })];
    const grounds = { chosen: claim(first), failed: new Set([claim(second), claim(first)]) };
    expect(choose([first, second, second, fresh], file, grounds)).toBe(fresh.offer);
    expect(choose([first, second], file, grounds)).toBe(second.offer);
  });
});
