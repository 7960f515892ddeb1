import type { GenerateInput, GenerateRequest } from '../../../src-preload/contract/request.ts';
import type { AnswerEvent, EmbedResult, GenerateOptions, ScoreRequest, ScoreResult } from '../../inference/backend.ts';

export interface AskedOptions extends GenerateOptions {
  /** Id of the answer, under which it may be kept so that feedback can refer to it. Default: it is not kept. */
  keepAs?: string;
}

/** Whatever answers the requests of a model name: a backend of this machine, or the mesh. */
export interface Generator {
  /** What it has read of a prompt serves other requests with the same one that come when it has begun to answer. Default: each is read anew. */
  readonly sharesPrompts?: boolean;
  generate(request: GenerateRequest, options?: AskedOptions): AsyncIterable<AnswerEvent>;
  /** Absent where it cannot be done. */
  score?(request: ScoreRequest, options?: GenerateOptions): Promise<ScoreResult>;
  /** Tokens that a model reads of an input. Absent where it cannot be done. */
  countTokens?(input: GenerateInput): Promise<number>;
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
