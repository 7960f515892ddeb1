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
