import { expect, it } from 'vitest';
import { kept } from '../../../../src-main/app/validator/practice.ts';
import { identityFromSeed } from '../../../../src-main/mesh/transport/identity.ts';
import { checkResult } from '../../../../src-main/store/results/signed-result.ts';
import { signResult } from '../../../../src-main/validation/result.ts';
import { say } from '../../../../src-preload/contract/saying.ts';

const challenge = { environment: 'sat', version: '1', level: 'usual', seed: 'a', id: 'b', prompt: '?' };

it('a question that got no answer is kept whatever was said about that', () => {
  const reason = say('validation.axon.failed', { status: 500, message: 'a half character \ud83d' });
  const judged = kept(
    { challenge: challenge as never, said: undefined, score: 0, reason },
    { miner: 'local/m', model: 'm', revision: '' },
  );
  expect(judged).toMatchObject({ answer: null, success: false, reason: null, error: expect.stringContaining('half') });
  checkResult(signResult(judged, identityFromSeed(Buffer.alloc(32, 7))));
});
