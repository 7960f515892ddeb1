import { describe, expect, it } from 'vitest';
import { checkRequest, embedSchema, generateSchema, scoreSchema } from '../../../src-main/inference/request-schema.ts';

const input = { prompt: 'Once' };

function fieldAtFault(check: () => unknown): unknown {
  try {
    check();
  } catch (error) {
    return (error as { code: string }).code === 'BAD_REQUEST' && (error as { field: string }).field;
  }
}

describe('checkRequest', () => {
  it('takes everything that a request may hold', () => {
    const request = {
      input: { messages: [{ role: 'user', content: 'Hello' }] },
      maxTokens: 10,
      temperature: 0,
      topP: 1,
      topK: 0,
      repeatPenalty: 1,
      seed: 0xffff_ffff,
      stop: ['\n'],
      jsonSchema: { type: 'object' },
      topLogprobs: 20,
    };
    expect(checkRequest(generateSchema, request)).toEqual(request);
  });

  it.each([
    ['maxTokens', 0],
    ['temperature', -1],
    ['temperature', Number.NaN],
    ['topP', 1.1],
    ['topK', 0.5],
    ['repeatPenalty', 0],
    ['seed', -1],
    ['seed', 2 ** 32],
    ['topLogprobs', 21],
  ])('names the field: %s %d', (field, value) => {
    expect(fieldAtFault(() => checkRequest(generateSchema, { input, [field]: value } as never))).toBe(field);
  });

  it('names an entry of a list', () => {
    expect(fieldAtFault(() => checkRequest(generateSchema, { input, stop: ['a', ''] }))).toBe('stop.1');
  });

  it('refuses a conversation without messages', () => {
    expect(fieldAtFault(() => checkRequest(generateSchema, { input: { messages: [] } }))).toContain('input');
  });

  it('refuses to score nothing', () => {
    expect(fieldAtFault(() => checkRequest(scoreSchema, { input, continuation: '' }))).toBe('continuation');
  });

  it('names the whole where no field is at fault', () => {
    expect(fieldAtFault(() => checkRequest(embedSchema, [], 'inputs'))).toBe('inputs');
  });
});
