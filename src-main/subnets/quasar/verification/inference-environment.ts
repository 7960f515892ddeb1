import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../../src-preload/contract/saying.ts';
import { MEASURE_WORDS } from '../../../inference/verified/measure-words.ts';
import type { Environment, Judgement, TokenProbe } from '../../../validation/environment.ts';
import { drawProbe, inferenceBody, PROBE_LEVELS } from './probe.ts';
import { type Reference, type Verification, verifyProbe } from './verify.ts';

/** A score of 1. Nobody is so fast, one text at a time. */
const FASTEST = 10_000;
/** Of an answer, the tokens and a little more. */
const KEPT = 4_000;

/** Where the validator's own copy of the model comes from. */
export interface ReferenceSource {
  /** Of the file that is loaded, or was last; undefined before. */
  readonly known: Pick<Reference, 'sha256' | 'vocabulary'> | undefined;
  /** It stays loaded until it is disposed of. @throws where there is none, or it cannot tell honest answers from others */
  use(signal?: AbortSignal): Promise<Reference & Disposable>;
}

/** A probe, and the file that its tokens are of. */
interface FileProbe {
  probe: TokenProbe;
  file: string;
}

/**
 * Whether a miner computes with the model of this node, and how fast: tokens by chance are gone on with, and what a miner says to them is read again by the own model. The score is its speed
 * by the validator's clock, or nothing. What is known of one file says nothing of another: its version is the file's.
 */
export function inferenceEnvironment(reference: ReferenceSource): Environment<FileProbe, Promise<Judgement>> {
  return {
    name: 'quasar-inference',
    get version() {
      const { known } = reference;
      return known ? `1.${known.sha256.slice(0, 12)}` : '1';
    },
    levels: PROBE_LEVELS,

    async prepare(signal) {
      (await reference.use(signal))[Symbol.dispose]();
    },

    async pose(random, level) {
      const { known } = reference;
      if (!known) {
        (await reference.use())[Symbol.dispose]();
        throw otherModel(); // its version is known from now on
      }
      return { probe: drawProbe(random, level, known.vocabulary), file: known.sha256 };
    },

    prompt: ({ probe }) => JSON.stringify(inferenceBody(probe)),

    ask: ({ probe }) => ({ kind: 'tokens', probe }),

    async judge({ probe, file }, answer, { signal, latencyMs } = {}) {
      using own = await reference.use(signal);
      if (own.sha256 !== file) throw otherModel();
      const found = await verifyProbe(answer, probe, own, signal);
      const isVerified = found.reason === 'verified';
      const isTimed = isVerified && latencyMs !== undefined;
      const speed = isTimed ? (probe.length * 1_000) / Math.max(1, latencyMs) : 0;
      const [score, accuracy] = [Math.min(1, speed / FASTEST), isVerified ? 1 : 0];
      return { score, accuracy, reason: sayingOf(found, speed), keeps: KEPT };
    },
  };
}

/** As QUASAR calls it, and what that means. */
function sayingOf(found: Verification, speed: number): Saying {
  switch (found.reason) {
    case 'verified':
      return found.distance
        ? say('quasar.probe.verified', { speed: round(speed, 1), ...figures(found.distance) })
        : say('quasar.probe.audited', { speed: round(speed, 1) });
    case 'prefix_mismatch':
      return say('quasar.probe.prefix', { step: found.step });
    case 'threshold_failed':
      return say('quasar.probe.thresholds', figures(found.distance));
    case 'audit_failed': {
      const { measure, found: mean, threshold, tokens } = found.finding;
      return say('quasar.probe.audit', {
        measure: MEASURE_WORDS[measure],
        mean: round(mean, 3),
        threshold: round(threshold, 3),
        tokens,
      });
    }
    default:
      return say(LACKS[found.reason]);
  }
}

const LACKS = {
  shape_mismatch: 'quasar.probe.shape',
  no_logits: 'quasar.probe.noLogits',
  zero_norm: 'quasar.probe.zeroNorm',
  other_file: 'quasar.probe.otherFile',
  no_evidence: 'quasar.probe.noEvidence',
} as const;

const figures = ({ cosine, mostApart }: { cosine: number; mostApart: number }) => ({
  ...{ cosine: round(cosine, 4), apart: round(mostApart, 3) },
});

const round = (value: number, digits: number) => Number(value.toFixed(digits));

/** What was asked is about the one file, and what would be read about the other. */
const otherModel = () =>
  new QuarryError({ code: 'ENGINE_UNAVAILABLE', message: say('quasar.probe.otherModel'), retryable: true });

export const noModel = () =>
  new QuarryError({
    code: 'ENGINE_UNAVAILABLE',
    message: say('quasar.probe.noModel'),
    hint: say('quasar.probe.noModel.hint'),
  });

export const notCalibrated = () =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: say('quasar.probe.notCalibrated'),
    hint: say('quasar.probe.notCalibrated.hint'),
  });
