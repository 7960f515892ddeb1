import type { z } from 'zod';
import type { offeredModelSchema } from '../../../src-preload/contract/models.ts';
import type { PeerOffer } from './offer-directory.ts';

export type PeerOfferedModel = Omit<z.infer<typeof offeredModelSchema>, 'inCatalogue'>;

/**
 * The models in these offers, each once, as a trusted signer describes it, if one does.
 * @param signers trusted ids of nodes, 64 hex
 */
export function offeredModels(offers: readonly PeerOffer[], signers: ReadonlySet<string>): PeerOfferedModel[] {
  const models = Map.groupBy(offers, ({ offer }) => `${offer.sha256} ${offer.name} ${offer.bytes}`);
  return [...models.values()].flatMap((entries) => {
    const vouched = entries.find(({ offer }) => signers.has(offer.from));
    const described = vouched ?? entries[0];
    if (!described) return [];
    const { name, file, bytes, sha256, licence, quantisation, contextLength } = described.offer;
    return [
      {
        ...{ name, file, bytes, sha256, licence, quantisation, contextLength },
        signers: [...new Set(entries.map(({ offer }) => offer.from))],
        trusted: vouched !== undefined,
        seeders: new Set(entries.map(({ peer }) => peer)).size,
      },
    ];
  });
}
