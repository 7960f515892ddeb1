import type { LearntVersion, VersionIntake } from '../../learning/adapters/version-intake.ts';
import { checkInUse } from '../../learning/runs/begun-from.ts';
import { AdapterStore } from '../../store/learning/learning-adapters.ts';
import { endRun, LearningRunStore } from '../../store/learning/learning-run-store.ts';
import type { RunRow } from '../../store/learning/learning-runs.ts';

/** What a run comes to its end with. */
export interface Acceptance extends Pick<LearntVersion, 'base' | 'parent' | 'feedback' | 'metrics'> {
  versions: { intake: VersionIntake };
  /** Unix milliseconds. */
  endedAt: number;
}

/**
 * Takes in what a run saved as the newest version of its adapter, whatever that is called by now, puts it to use, and ends the run: all of it at once, or
 * nothing.
 * @throws OutOfDate where another version than the run's parent is in use by now; what taking it in throws
 */
export async function acceptRun(folder: string, run: RunRow, acceptance: Acceptance): Promise<void> {
  const { versions, parent, endedAt, ...learnt } = acceptance;
  await versions.intake.take(folder, {
    ...{ ...learnt, parent, name: run.name, run: run.id, use: true },
    async alongside(db, version) {
      const inside = { store: new LearningRunStore(db), versions: new AdapterStore(db) };
      const name = await checkInUse(run.id, parent, inside);
      const isEnd = await endRun(db, run.id, 'accepted', { version, ended_at: endedAt });
      if (!isEnd) throw new Error('the run had ended');
      return name;
    },
  });
}
