import { expect, it } from 'vitest';
import type { GgufHeader } from '../../../../src-main/gguf/header.ts';
import { hasMeansOfPieces } from '../../../../src-main/inference/child/embedder.ts';
import type { LoadedInfo } from '../../../../src-main/inference/engine-protocol.ts';

function isReadInPieces(metadata: Record<string, unknown>, embedsOnly?: true): boolean {
  const header = { metadata: new Map(Object.entries(metadata)) } as unknown as GgufHeader;
  return hasMeansOfPieces(header, { architecture: 'llama', embedsOnly } as LoadedInfo);
}

it('reads texts in pieces where that leaves their vectors as they are, and nowhere else', () => {
  expect(isReadInPieces({})).toBe(true);
  expect(isReadInPieces({ 'llama.attention.causal': true })).toBe(true);
  expect(isReadInPieces({ 'llama.attention.causal': false })).toBe(false);
  expect(isReadInPieces({ 'llama.pooling_type': 0 })).toBe(false);
  expect(isReadInPieces({}, true)).toBe(false);
});
