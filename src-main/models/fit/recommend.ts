import type { CatalogueModel, ModelFit } from '../../../src-preload/contract/models.ts';

/** What a recommendation looks at. */
export interface Candidate {
  use: CatalogueModel['use'];
  parameters: number;
  fit: ModelFit | null;
}

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

function rate({ fit }: Candidate): number {
  return fit?.speed.tokensPerSecond ?? 0;
}
