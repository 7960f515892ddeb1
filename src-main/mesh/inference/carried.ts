import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { GenerateRequest } from '../../../src-preload/contract/request.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { LOGIT_SHIFTS } from '../../inference/request-schema.ts';

/**
 * The request as this version's prompts carry it. What they have no field for is refused at once: no worker could be told, and an answer
 * without it would not be what was asked for.
 * @throws BAD_REQUEST naming the field
 */
export function carried(request: GenerateRequest): GenerateRequest {
  const field = LOGIT_SHIFTS.find((each) => request[each] !== undefined);
  if (field === undefined) {
    const { logitBias: _, frequencyPenalty: __, presencePenalty: ___, ...told } = request;
    return told;
  }
  throw new QuarryError({
    code: 'BAD_REQUEST',
    message: say('mesh.notCarried', { field }),
    hint: say('mesh.askHere'),
    field,
  });
}
