import { describe, expect, it } from 'vitest';
import type { ProbeRequest } from '../../../../../src-main/inference/backend.ts';
import type { TokenEvidence } from '../../../../../src-main/inference/evidence.ts';
import { thresholdsOf } from '../../../../../src-main/inference/verified/thresholds.ts';
import { probeText } from '../../../../../src-main/subnets/quasar/verification/answer.ts';
import { type Reference, verifyProbe } from '../../../../../src-main/subnets/quasar/verification/verify.ts';

const VOCABULARY = 20;
const FILE = 'ab'.repeat(32);
const PROBE = { prompt: [11, 12, 13], length: 40, captureAt: 5 };

/** What a made-up model thinks at a place: token 3 + place is the best, by far. */
const logitsAt = (place: number) =>
  Array.from({ length: VOCABULARY }, (_, token) => (token === bestAt(place) ? 9 : ((token * 7) % 5) / 10));
const bestAt = (place: number) => (3 + place) % VOCABULARY;
const TOKENS = Array.from({ length: PROBE.length }, (_, place) => bestAt(place));

function evidenceAt(place: number, token: number, top = 10): TokenEvidence {
  const logits = logitsAt(place);
  const sum = Math.log(logits.reduce((all, each) => all + Math.exp(each), 0));
  const ranked = logits.map((logit, id): [number, number] => [id, logit - sum]).sort(([, a], [, b]) => b - a);
  return { id: token, logprob: (logits[token] ?? 0) - sum, top: ranked.slice(0, top) };
}

/** Reads what others say, as the made-up model. */
function reference(more: Partial<Reference> = {}) {
  const asked: ProbeRequest[] = [];
  const own: Reference = {
    ...{ sha256: FILE, vocabulary: VOCABULARY, thresholds: undefined },
    probe: async (request) => {
      asked.push(request);
      const { said = [], captureAt } = request;
      const evidence = said.map((token, place) => evidenceAt(place, token, VOCABULARY));
      return { tokens: [...said], evidence, logits: Float32Array.from(logitsAt(captureAt - 1)) };
    },
    ...more,
  };
  return { own, asked };
}

/** Of an honest miner, but for what is said otherwise. */
const answer = (more: Record<string, unknown> = {}) => ({
  ...{ tokens: TOKENS, captured_logits: logitsAt(PROBE.captureAt - 1), elapsed_sec: 1, model_sha256: FILE },
  evidence: TOKENS.map((token, place) => evidenceAt(place, token)),
  ...more,
});

const verified = (more: Record<string, unknown> = {}, own = reference().own) =>
  verifyProbe(probeText(answer(more)), PROBE, own);

const otherToken = (place: number) => TOKENS.map((token, at) => (at === place ? (token + 1) % VOCABULARY : token));
const honest = Array.from({ length: 4 }, () =>
  Array.from({ length: 64 }, () => ({ tokens: 1, top: 0.01, chosen: 0.01, mismatches: 0 })),
);
const quantised = () => reference({ thresholds: thresholdsOf(honest) });

describe('by the logits, where nothing is quantised', () => {
  it('passes who computes with the same weights, and reads its own tokens once', async () => {
    const { own, asked } = reference();
    expect(await verified({}, own)).toEqual({
      reason: 'verified',
      distance: { cosine: expect.closeTo(1), mostApart: expect.closeTo(0) },
    });
    expect(asked).toEqual([{ ...PROBE, said: TOKENS }]);
  });

  it('passes who names another file, or none: there is no other of these weights', async () => {
    expect(await verified({ model_sha256: undefined, evidence: undefined })).toMatchObject({ reason: 'verified' });
  });

  const logits = logitsAt(PROBE.captureAt - 1);
  it.each<[string, Record<string, unknown>, object]>([
    ['tokens that are missing', { tokens: TOKENS.slice(1) }, { reason: 'shape_mismatch' }],
    ['no tokens at all', { tokens: undefined }, { reason: 'shape_mismatch' }],
    [
      'a token that the model does not have',
      { tokens: [...TOKENS.slice(1), VOCABULARY] },
      { reason: 'shape_mismatch' },
    ],
    ['half a token', { tokens: [...TOKENS.slice(1), 0.5] }, { reason: 'shape_mismatch' }],
    ['fewer logits than there are tokens', { captured_logits: logits.slice(1) }, { reason: 'shape_mismatch' }],
    ['logits that are no numbers', { captured_logits: logits.map(String) }, { reason: 'shape_mismatch' }],
    [
      'one that is null, as JSON writes what is infinite',
      { captured_logits: [...logits.slice(1), null] },
      { reason: 'shape_mismatch' },
    ],
    ['no logits', { captured_logits: undefined }, { reason: 'no_logits' }],
    ['nothing but zeros', { captured_logits: logits.map(() => 0) }, { reason: 'zero_norm' }],
    ['another token before the step', { tokens: otherToken(1) }, { reason: 'prefix_mismatch', step: 2 }],
    ['another token behind it', { tokens: otherToken(39) }, { reason: 'prefix_mismatch', step: 40 }],
    [
      'one logit that is off',
      { captured_logits: logits.map((each, at) => each + Number(at === 2) * 0.2) },
      { reason: 'threshold_failed', distance: { mostApart: expect.closeTo(0.2) } },
    ],
    [
      'all of them turned round',
      { captured_logits: logits.map((each) => -each) },
      { reason: 'threshold_failed', distance: { cosine: expect.closeTo(-1) } },
    ],
  ])('refuses %s', async (_, more, found) => {
    expect(await verified(more)).toMatchObject(found);
  });

  it('looks at the shape first: what has none costs the model nothing', async () => {
    const { own, asked } = reference();
    for (const text of [
      '',
      '[]',
      'null',
      '"x"',
      '{',
      '{"tokens":[[[[]]]]}',
      JSON.stringify({ tokens: Array(100_000).fill('x') }),
    ])
      expect(await verifyProbe(text, PROBE, own)).toEqual({ reason: 'shape_mismatch' });
    expect(asked).toEqual([]);
  });

  it('lets honest machines part where two tokens are as likely', async () => {
    const near = logitsAt(0);
    const nearly = { logprob: -0.8, top: [[4, -0.65] as [number, number]] };
    const { own } = reference({
      probe: async ({ said = [] }) => ({
        tokens: [...said],
        logits: Float32Array.from(near),
        evidence: said.map((id) => ({ id, ...nearly })),
      }),
    });
    expect(await verified({ captured_logits: near }, own)).toMatchObject({ reason: 'verified' });
  });
});

describe('by what verified inference looks at, where the file is quantised', () => {
  it('passes who has the same file, also where its logits are far off', async () => {
    expect(await verified({ captured_logits: undefined }, quantised().own)).toEqual({
      reason: 'verified',
      distance: undefined,
    });
  });

  const evidence = answer().evidence;
  const shifted = evidence.map((each) => ({ ...each, top: each.top.map(([id, chance]) => [id, chance - 0.5]) }));
  it.each<[string, Record<string, unknown>, object]>([
    ['another file', { model_sha256: 'cd'.repeat(32) }, { reason: 'other_file' }],
    ['none that is named', { model_sha256: undefined }, { reason: 'other_file' }],
    ['no evidence', { evidence: undefined }, { reason: 'no_evidence' }],
    ['evidence of other tokens', { evidence: evidence.toReversed() }, { reason: 'no_evidence' }],
    ['evidence of some', { evidence: evidence.slice(1) }, { reason: 'no_evidence' }],
    [
      'one token ten times',
      { evidence: evidence.map((each) => ({ ...each, top: Array(10).fill(each.top[0]) })) },
      { reason: 'no_evidence' },
    ],
    [
      'lists without an end',
      { evidence: evidence.map((each) => ({ ...each, top: Array(5_000).fill(each.top[0]) })) },
      { reason: 'no_evidence' },
    ],
    [
      'other log-probabilities',
      { evidence: shifted },
      { reason: 'audit_failed', finding: { measure: 'top', tokens: 40 } },
    ],
  ])('refuses %s', async (_, more, found) => {
    expect(await verified(more, quantised().own)).toMatchObject(found);
  });

  it('refuses tokens that the model would not have chosen', async () => {
    const tokens = TOKENS.map((token, at) => (at % 2 ? (token + 1) % VOCABULARY : token));
    const told = tokens.map((token, place) => evidenceAt(place, token));
    expect(await verified({ tokens, evidence: told }, quantised().own)).toMatchObject({
      reason: 'audit_failed',
      finding: { measure: 'mismatches', found: 0.5 },
    });
  });
});
