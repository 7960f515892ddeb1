import type { GenerateRequest } from '../../../src-preload/contract/request.ts';
import type {
  EmbedResult,
  GenerateEvent,
  GenerateOptions,
  ScoreRequest,
  ScoreResult,
} from '../../inference/backend.ts';

/** What a generator tells while it answers: what every backend tells, and what only the mesh has to tell. */
export type AnswerEvent =
  | GenerateEvent
  /** The request waits in a worker's queue. */
  | { type: 'queued'; position: number; etaMs: number; worker: string }
  /** A worker was chosen. */
  | { type: 'worker'; worker: string }
  /** The worker failed; what it has said is void and another one begins anew. */
  | { type: 'restart'; worker: string; reason: string };

/** Whatever answers the requests of a model name: a backend of this machine, or the mesh. */
export interface Generator {
  generate(request: GenerateRequest, options?: GenerateOptions): AsyncIterable<AnswerEvent>;
  /** Absent where it cannot be done. */
  score?(request: ScoreRequest, options?: GenerateOptions): Promise<ScoreResult>;
  /** Absent where it cannot be done. */
  embed?(inputs: string[], options?: GenerateOptions): Promise<EmbedResult>;
}

export interface ServedModel {
  /** Name that requests use. */
  name: string;
  kind: 'mesh' | 'local' | 'remote';
  /** Tokens of one request, prompt and answer together; absent where it is not known. */
  contextSize?: number;
}
