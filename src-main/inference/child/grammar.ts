import { type Llama, LlamaGrammarEvaluationState, type LlamaModel } from 'node-llama-cpp';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { grammarSchema } from './json-schema.ts';

/** node-llama-cpp's JSON grammar ends every answer with it, and no JSON text holds it elsewhere: a stop string. */
export const END_OF_JSON = '\n\n\n\n';

/**
 * Holds one answer to a JSON schema.
 * @throws BAD_REQUEST when the schema makes no grammar
 */
export async function createGrammar(
  llama: Llama,
  model: LlamaModel,
  jsonSchema: Record<string, unknown>,
): Promise<LlamaGrammarEvaluationState> {
  const schema = grammarSchema(jsonSchema);
  try {
    // Its type describes schemas that are written in code.
    const grammar = await llama.createGrammarForJsonSchema(schema as { type: 'object' });
    return new LlamaGrammarEvaluationState({ model, grammar });
  } catch (error) {
    throw new QuarryError(
      {
        code: 'BAD_REQUEST',
        message: say('engine.noGrammar'),
        hint: say('engine.lookForLoops'),
        field: 'jsonSchema',
      },
      { cause: error },
    );
  }
}
