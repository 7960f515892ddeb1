import { isTight } from '../../../src-preload/contract/fit-room.ts';
import type { CatalogueModel, ModelFit } from '../../../src-preload/contract/models.ts';

/** What a recommendation looks at. */
export interface Candidate {
  use: CatalogueModel['use'];
  parameters: number;
  fit: ModelFit | null;
}

/** What people look for first. */
const USES: readonly Candidate['use'][] = ['chat', 'code', 'embedding'];
const CLASSES: readonly SpeedClass[] = ['fast', 'comfortable', 'slow', 'painful'];

type SpeedClass = ModelFit['speed']['class'];
const WELL: readonly SpeedClass[] = ['fast', 'comfortable'];
const SLOWLY: readonly SpeedClass[] = ['slow'];

/**
 * The models of one use that run here at a speed one can work with, the largest (so the ablest) first. Slow ones only where
 * there is nothing better; painful ones never.
 */
export function recommend<T extends Candidate>(models: readonly T[], use: Candidate['use']): T[] {
  const runnable = models.filter((model) => model.use === use && model.fit !== null && model.fit.runs !== 'no');
  const at = (classes: readonly SpeedClass[]) => runnable.filter(({ fit }) => fit && classes.includes(fit.speed.class));
  const well = at(WELL);
  const chosen = well.length > 0 ? well : at(SLOWLY);
  return chosen.sort((a, b) => b.parameters - a.parameters || rate(b) - rate(a));
}

/** Above so many bits per weight files grow and answers hardly get better; below so few they get worse. */
const ENOUGH_BITS = 6;
const LEAST_BITS = 3.5;

/** One of a model's quantisations. */
export interface QuantisationCandidate {
  /** «Q4_K_M». */
  name: string;
  fit: ModelFit | null;
  /** Per weight. */
  bits: number;
  bytes: number;
}

/** «IQ4_XS»: its values are looked up in tables, which graphics cards do in passing and processors wait for. */
const I_QUANT = /^(?:UD-)?IQ\d/i;

/**
 * Of one model's quantisations the one to take here: the largest of those that run well, with room to spare and without bits that
 * bring nothing. Where none runs well, the smallest that is still good and runs at all. An i-quant that the processor would compute is
 * taken only where there is no other.
 */
export function bestQuantisation<T extends QuantisationCandidate>(all: readonly T[]): T | undefined {
  const good = quickOf(all.filter(({ fit, bits }) => fit && fit.runs !== 'no' && bits >= LEAST_BITS));
  const well = good.filter(
    ({ fit }) => fit && fit.runs !== 'partly' && WELL.includes(fit.speed.class) && !isTight(fit),
  );
  const lean = well.filter(({ bits }) => bits <= ENOUGH_BITS);
  return largest(lean) ?? smallest(well) ?? smallest(good);
}

/** Without i-quants that the processor would compute, where that leaves any. */
function quickOf<T extends QuantisationCandidate>(all: readonly T[]): readonly T[] {
  const quick = all.filter(({ name, fit }) => fit?.runs === 'gpu' || !I_QUANT.test(name));
  return quick.length > 0 ? quick : all;
}

function smallest<T extends QuantisationCandidate>(all: readonly T[]): T | undefined {
  return all.toSorted((a, b) => a.bytes - b.bytes)[0];
}

function largest<T extends QuantisationCandidate>(all: readonly T[]): T | undefined {
  return all.toSorted((a, b) => b.bytes - a.bytes)[0];
}

/**
 * All models as a list shows them: what runs here before what nobody could estimate, and that before what does not fit; of those
 * chat models first and embedders last; of one use the best first, which among those that are comfortable is the largest.
 */
export function inOrder<T extends Candidate>(models: readonly T[]): T[] {
  const runs = ({ fit }: Candidate) => (fit ? (fit.runs === 'no' ? 2 : 0) : 1);
  const use = (model: Candidate) => USES.indexOf(model.use);
  // Faster than comfortable is no better: the one with more parameters knows more.
  const speed = ({ fit }: Candidate) => (fit ? Math.max(1, CLASSES.indexOf(fit.speed.class)) : 0);
  return models.toSorted(
    (a, b) =>
      runs(a) - runs(b) || use(a) - use(b) || speed(a) - speed(b) || b.parameters - a.parameters || rate(b) - rate(a),
  );
}

function rate({ fit }: Candidate): number {
  return fit?.speed.tokensPerSecond ?? 0;
}
