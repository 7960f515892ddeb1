import { describe, expect, it } from 'vitest';
import { type Offer, offerSchema } from '../../../../src-main/mesh/sharing/messages.ts';
import { offerWords } from '../../../../src-main/mesh/sharing/offer-words.ts';
import { signEvidence } from '../../../../src-main/mesh/transport/envelope.ts';
import { randomIdentity } from '../../../support/mesh-node.ts';

const identity = randomIdentity();
const digest = '1'.repeat(64);
const note = {
  name: 'model',
  path: '/models/Modell ä.gguf',
  bytes: 1,
  sha256: digest,
  licence: 'Apache-2.0',
  quantisation: 'Q4_K_M',
  contextLength: 4_096,
};

function parse(words: Partial<Offer>) {
  const body = { type: 'model-offer', seeder: identity.id, bytes: 1, sha256: digest, treeHash: digest } as const;
  return offerSchema.safeParse(signEvidence<Offer>({ ...body, ...offerWords(note), ...words }, identity, 1));
}

describe('the words of an offer', () => {
  it('are taken as they are where they are plain', () => {
    expect(parse({}).data).toMatchObject({ name: 'model', file: 'Modell ä.gguf', licence: 'Apache-2.0' });
  });

  it.each([
    { name: '\x1b[2J' },
    { name: 'two words' },
    { name: 'local' },
    { file: '\x1b]0;title\x07.gguf' },
    { file: 'fugg\u202eledom' },
    { file: '..' },
    { file: 'folder/model.gguf' },
    { file: 'C:\\model.gguf' },
    { licence: '\x9b2J' },
    { quantisation: 'Q4\n' },
  ])('are refused: %j', (words) => {
    expect(parse(words).success).toBe(false);
  });

  it.each([
    { name: 'ein Modell (1)' },
    { name: 'local' },
    { name: '…' },
    { name: '.'.repeat(300) },
    { path: `/models/${'\x1b'.repeat(300)}` },
    { path: `/models/${'😀'.repeat(150)}x` },
    { path: '/models/back\\slash' },
    { licence: 'é'.repeat(200), quantisation: '\x1b[1m'.repeat(40) },
    { contextLength: 2 ** 60 },
    { contextLength: Number.NaN },
  ])('are replaced in what this node says, where others would refuse them: %j', (more) => {
    expect(parse(offerWords({ ...note, ...more })).error).toBeUndefined();
  });
});
