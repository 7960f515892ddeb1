import type { ChatMessage } from '../../../../src-preload/contract/request.ts';
import type { ProgramSandbox } from '../../../sandbox/program-sandbox.ts';
import type { AskedAnswers } from '../../asked.ts';
import type { TeacherView } from '../verifiers/likeness.ts';
import type { Verifier } from '../verifiers/verifier.ts';
import type { EvalRecord, LearnRecord, StepRecord } from './records.ts';

/** What is taught: an answer, and what was said of it. */
export interface FeedbackItem {
  messages: readonly ChatMessage[];
  response: string;
  feedback: string;
  /** By which it is told whether an answer does what was said. */
  verifier: Verifier;
}

/** An adapter that learns. A resource. */
export interface Learner {
  /** GGUF file of the adapter as it is now; undefined while nothing was learnt. */
  readonly adapter: string | undefined;
  /**
   * Learns from a batch, in so many steps. It is kept when this resolves: {@link EvalPorts.learn} with one batch more goes on from here.
   * @returns what the last step says of itself; null where there was nothing to learn from
   */
  learn(batch: readonly FeedbackItem[], steps: number, signal?: AbortSignal): Promise<LearnRecord | null>;
  close(): Promise<void>;
}

export interface EvalPorts {
  asked: AskedAnswers;
  /** Which model it is: what was measured of one does not go on with another. */
  model: { name: string; sha256: string };
  /**
   * Opens an adapter as it was after so many batches; 0: a new one. What was learnt beyond that, by a run that was killed before it wrote its line, is
   * forgotten.
   */
  learn(loraId: string, batches: number): Promise<Learner>;
  /** For programs that models write, and own checks. Without it, coding is not measured. */
  sandbox?: Pick<ProgramSandbox, 'run'> | undefined;
  /** How the teacher is asked: what was asked, with this feedback before its eyes. */
  teacher: (feedback: string) => TeacherView['withFeedback'];
  /** Draws the plots of a preference into its folder. Default: none are drawn. */
  draw?: ((folder: string, baseline: EvalRecord, steps: readonly StepRecord[]) => Promise<void>) | undefined;
  /** Told how far it is. */
  onProgress?: ((progress: EvalProgress) => void) | undefined;
  /** Unix milliseconds. Default: the clock. */
  now?: () => number;
}

export interface EvalProgress {
  preference: string;
  /** Steps done, of how many. */
  step: number;
  steps: number;
  phase: 'baseline' | 'learning' | 'measuring' | 'gate';
}
