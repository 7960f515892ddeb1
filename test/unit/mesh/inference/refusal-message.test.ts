import { expect, it } from 'vitest';
import { errorOf } from '../../../../src-main/mesh/inference/refusal-message.ts';
import { PROTOCOL_VERSION } from '../../../../src-main/mesh/transport/envelope.ts';

it('a worker’s refusal reaches whoever asked in words that steer no terminal', () => {
  const words = '\u001b]52;c;aGk=\u0007no\u202e room';
  const error = errorOf({
    ...{ v: PROTOCOL_VERSION, type: 'inference_error', requestId: '0'.repeat(32), code: 'OVERLOADED', retry: true },
    ...{ message: words, hint: words, field: words },
  });
  const clean = ']52;c;aGk=no room';
  expect(error).toMatchObject({ code: 'OVERLOADED', message: clean, hint: clean, field: clean });
});
