import type { GenerateRequest } from '../../../src-preload/contract/request.ts';
import type { AnswerEvent, EmbedResult, GenerateOptions, ScoreRequest, ScoreResult } from '../../inference/backend.ts';

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
