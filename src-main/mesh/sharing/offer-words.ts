import { basename } from 'node:path';
import { isModelName } from '../../models/model-name.ts';
import { type AdapterOffer, OFFER_LIMITS, type Offer } from './messages.ts';
import type { AdapterNote, ModelNote } from './share-note.ts';

type Words = Pick<Offer, 'name' | 'file' | 'licence' | 'quantisation' | 'contextLength'>;

/**
 * How a shared model is described to others. A model file says of itself what its author liked, and so does its name in a
 * folder; what an offer may not say is replaced.
 */
export function offerWords({ name, path, licence, quantisation, contextLength }: ModelNote): Words {
  return {
    name: modelName(name),
    file: fileName(basename(path)),
    licence: plainText(licence, OFFER_LIMITS.licence),
    quantisation: plainText(quantisation, OFFER_LIMITS.quantisation),
    contextLength: Math.min(OFFER_LIMITS.contextLength, Math.max(0, Math.trunc(contextLength) || 0)),
  };
}

/** The same of a version of an adapter: its own name is one that Quarry gave, the model's is what somebody calls a file. */
export function adapterWords({
  name,
  adapter,
}: AdapterNote): Pick<AdapterOffer, 'name' | 'number' | 'base' | 'baseName'> {
  const { number, base, baseName } = adapter;
  return { name, number, base, baseName: plainText(baseName, OFFER_LIMITS.baseName) || 'model' };
}

function modelName(name: string): string {
  const plain = name
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 100);
  return isModelName(plain) ? plain : 'model';
}

function fileName(file: string): string {
  return file.slice(-OFFER_LIMITS.file).replace(/[\p{C}\p{Zl}\p{Zp}/\\]/gu, '_');
}

function plainText(text: string, limit: number): string {
  return text.slice(0, limit).replace(/[^\x20-\x7e]/g, '_');
}
