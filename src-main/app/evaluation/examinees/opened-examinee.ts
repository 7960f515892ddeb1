import type { EvaluationTarget } from '../../../../src-preload/contract/evaluation.ts';
import type { RoomOf } from '../../../models/fit/advice.ts';
import type { Examinee } from '../../../subnets/quasar/evaluation/evaluation-run.ts';

/** Whoever is asked, for as long as one evaluation takes. */
export interface OpenedExaminee extends Examinee, AsyncDisposable {
  /** As it calls itself. */
  model: string;
  /** SHA-256 of its file; null where that is not known. */
  sha256: string | null;
  /** Whether it is the model that comes with Quarry, whose weights are random. Default false. */
  isBuiltIn?: boolean;
  /** Bytes that a request on the way to it may have. Default: as many as its room takes. */
  mostBytes?: number;
  /** What is known of a model of this machine. */
  own?: () => Promise<OwnFit | undefined>;
}

/** What is known of a model of this machine beside how it is loaded now. */
export interface OwnFit extends RoomOf {
  /** Bytes that so many tokens take as it is set, for one request at a time, and that there are for it. */
  memoryFor(tokens: number): Promise<{ needs: number; has: number }>;
}

/** How whoever is meant is found and opened. */
export interface ExamineeDoor {
  /** Who is meant now, so that the same can be asked when the settings are others. */
  named(target: EvaluationTarget): EvaluationTarget;
  /** @throws what keeps it from being asked; the signal's reason */
  openExaminee(target: EvaluationTarget, signal: AbortSignal): Promise<OpenedExaminee>;
}
