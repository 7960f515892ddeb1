import { type Llama, LlamaGrammarEvaluationState, type LlamaModel } from 'node-llama-cpp';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { grammarSchema, refuse } from './grammar-schema.ts';
import { HeldRules } from './held-rules.ts';
import { withMergedLiterals } from './merged-literals.ts';

/** node-llama-cpp's JSON grammar ends every answer with it, and no JSON text holds it elsewhere: a stop string. */
export const END_OF_JSON = '\n\n\n\n';

/**
 * Holds one answer to a JSON schema, as far as a grammar can.
 * @throws BAD_REQUEST when the schema makes no grammar
 */
export async function createGrammar(
  llama: Llama,
  model: LlamaModel,
  jsonSchema: Record<string, unknown>,
): Promise<LlamaGrammarEvaluationState> {
  const held = new HeldRules();
  const schema = mergedSchema(jsonSchema, held);
  try {
    // Its type describes schemas that are written in code.
    const made = await llama.createGrammarForJsonSchema(schema as { type: 'object' });
    const text = held.putInto(withFiniteNumbers(made.grammar));
    const grammar = text === made.grammar ? made : await llama.createGrammar({ grammar: text });
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

/** @throws BAD_REQUEST */
function mergedSchema(jsonSchema: Record<string, unknown>, held: HeldRules): Record<string, unknown> {
  const merged = withMergedLiterals(grammarSchema(jsonSchema, held), held);
  if (!merged) throw refuse('jsonSchema', say('schema.tooLarge'));
  return merged;
}

/** How node-llama-cpp's grammar writes a whole number, and the exponent that it lets follow on any. */
const WHOLE = '"-"? ("0" | [1-9] [0-9]{0,15})';
const EXPONENT = ' ([eE] [-+]? ("0" | [1-9] [0-9]{0,15}))?';

/** Numbers as a schema means them: whole ones without an exponent (`2e-40` is none), others with one of two digits (`1e999` is none). */
function withFiniteNumbers(grammar: string): string {
  return grammar.replaceAll(WHOLE + EXPONENT, WHOLE).replaceAll(EXPONENT, ' ([eE] [-+]? [0-9]{1,2})?');
}
