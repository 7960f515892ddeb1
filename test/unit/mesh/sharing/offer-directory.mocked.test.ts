import canonicalize from 'canonicalize';
import { describe, expect, it, vi } from 'vitest';
import type { ModelsMessage, Offer } from '../../../../src-main/mesh/sharing/messages.ts';
import { OfferDirectory } from '../../../../src-main/mesh/sharing/offer-directory.ts';
import { signEvidence } from '../../../../src-main/mesh/transport/envelope.ts';
import type { Peer } from '../../../../src-main/mesh/transport/peer.ts';
import { randomIdentity } from '../../../support/mesh-node.ts';

/** A peer as far as the directory sees it. */
function peerThatSays(directory: OfferDirectory, ...offers: Partial<Offer>[]) {
  const identity = randomIdentity();
  const peer = { id: identity.id, offend: vi.fn() };
  const signed = offers.map((more) => signEvidence<Offer>({ ...body, seeder: peer.id, ...more }, identity, 1));
  const say = (offers = signed) =>
    directory.put(peer as unknown as Peer<ModelsMessage>, { type: 'model-offers', offers: structuredClone(offers) });
  say();
  return { offend: peer.offend, offer: signed[0]!, say };
}

const facts = { name: 'model', file: 'model.gguf', licence: 'MIT', quantisation: 'Q8_0', contextLength: 2_048 };
const body = { type: 'model-offer', bytes: 1_000, sha256: '1'.repeat(64), treeHash: '2'.repeat(64), ...facts } as const;

vi.mock('canonicalize', async (original) => {
  const { default: canonicalize } = await original<typeof import('canonicalize')>();
  return { default: vi.fn(canonicalize) };
});

describe('what a peer offers', () => {
  it('is verified once, however often it is said, and anew when something of it is another', () => {
    const directory = new OfferDirectory();
    const peer = peerThatSays(directory, {}, { name: 'other' });
    vi.mocked(canonicalize).mockClear();
    peer.say();
    expect(canonicalize).not.toHaveBeenCalled();
    peer.say([peer.offer, { ...peer.offer, bytes: 7 }]);
    expect(peer.offend.mock.calls).toEqual([['wrong signature', 'model-offer']]);
  });
});

describe('a peer that says two things of one file', () => {
  it.each([{ bytes: 7 }, { treeHash: '4'.repeat(64) }])('is reported, and neither counts: %o', (other) => {
    const directory = new OfferDirectory();
    const peer = peerThatSays(directory, {}, { name: 'other', ...other });
    expect(peer.offend.mock.calls).toEqual([['false claim', 'model-offer']]);
    expect(directory.list()).toEqual([]);
  });
});

describe('an offer that was found false', () => {
  it('is reported once to each who makes it, and left out from then on', () => {
    const directory = new OfferDirectory();
    const liar = peerThatSays(directory, {}, {}, { name: 'true', sha256: '3'.repeat(64) });
    directory.deny(liar.offer);
    directory.deny(liar.offer);
    liar.say();
    const late = peerThatSays(directory, {});
    expect(liar.offend.mock.calls).toEqual([['false claim', 'model-offer']]);
    expect(late.offend).not.toHaveBeenCalled();
    expect(directory.list()).toMatchObject([{ offer: { name: 'true' } }]);
  });

  it.each([{ bytes: 999 }, { treeHash: '4'.repeat(64) }, { sha256: '4'.repeat(64) }])(
    'says nothing of one that differs in %o',
    (other) => {
      const directory = new OfferDirectory();
      const honest = peerThatSays(directory, {});
      const liar = peerThatSays(directory, other);
      directory.deny(liar.offer);
      expect(liar.offend).toHaveBeenCalled();
      expect(honest.offend).not.toHaveBeenCalled();
      expect(directory.list()).toMatchObject([{ offer: { bytes: 1_000 } }]);
    },
  );
});
