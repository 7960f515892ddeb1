import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkResult } from '../../../src-main/store/results/signed-result.ts';
import { judgedOf } from '../../../src-main/validation/judged.ts';
import { signResult } from '../../../src-main/validation/result.ts';
import { testIdentity } from '../../support/credit-nodes.ts';

const posed = { environment: 'sat', environmentVersion: '1', level: '', seed: 'a', challengeId: 'b' };

it('is kept whatever a stranger says of itself: half characters, zeros, names without an end', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3_000 }),
    fc.constantFrom('x'.repeat(5_000), `${'x'.repeat(255)}😀`, 'a\0b', '\ud800', ''),
  );
  const signer = testIdentity(1);
  fc.assert(
    fc.property(text, text, text, fc.option(text, { nil: null }), (miner, model, revision, error) => {
      const asked = { miner: `m${miner}`, model, revision, uid: null, block: null };
      const outcome = { answer: null, score: 0, reason: null, error, attempts: 1, latencyMs: 3 };
      const judged = judgedOf(posed, asked, outcome, 5);
      expect(judged.model.length).toBeLessThanOrEqual(256);
      checkResult(signResult(judged, signer));
    }),
    { numRuns: 200 },
  );
});
