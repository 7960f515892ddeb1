import type { LearningRunView } from '../../../../src-preload/contract/learning-runs.ts';
import type { AdapterVersion } from '../../../../src-preload/contract/learning-versions.ts';

/**
 * The runs of which something is in use: those that were accepted and made the version in use or one that it was learnt on from, the newest first. Versions may
 * be deleted; then their run tells what they were learnt on from.
 *
 * @param latest id of the version in use; null: the model as it is, which has learnt nothing
 */
export function learntIn(
  latest: string | null,
  versions: readonly Pick<AdapterVersion, 'id' | 'parent'>[],
  runs: readonly LearningRunView[],
): LearningRunView[] {
  const parents = new Map(versions.map(({ id, parent }) => [id, parent]));
  const accepted = runs.filter(({ state }) => state === 'accepted');
  const runOf = new Map(accepted.map((run) => [run.version, run]));
  const found: LearningRunView[] = [];
  const seen = new Set<string>();
  for (let at = latest; at !== null && !seen.has(at); ) {
    seen.add(at);
    const run = runOf.get(at);
    if (run) found.push(run);
    at = (parents.has(at) ? parents.get(at) : run?.parent) ?? null;
  }
  return found;
}
