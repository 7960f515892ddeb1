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
      frequencyPenalty: -2,
      presencePenalty: 2,
      logitBias: { 0: -100, 50256: 100 },
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
    ['frequencyPenalty', 2.1],
    ['presencePenalty', -2.1],
  ])('names the field: %s %d', (field, value) => {
    expect(fieldAtFault(() => checkRequest(generateSchema, { input, [field]: value } as never))).toBe(field);
  });

  it.each([
    ['no number', { a: 1 }],
    ['a number that is none of a token', { '-1': 1 }],
    ['two ways to write one', { '01': 1 }],
    ['more than may be', { 1: 101 }],
    ['nothing', { 1: null }],
    ['a list', [1]],
  ])('names the bias of %s', (_, logitBias) => {
    expect(fieldAtFault(() => checkRequest(generateSchema, { input, logitBias } as never))).toMatch(/^logitBias/);
  });

  it('takes the biases of 1,024 tokens and no more', () => {
    const biases = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [at, 1]));
    expect(checkRequest(generateSchema, { input, logitBias: biases(1_024) }).logitBias).toEqual(biases(1_024));
    expect(fieldAtFault(() => checkRequest(generateSchema, { input, logitBias: biases(1_025) }))).toBe('logitBias');
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
