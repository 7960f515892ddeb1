import { expect, it } from 'vitest';
import { inferenceMessageSchema } from '../../../../src-main/mesh/inference/messages.ts';
import { errorOf, refusalMessage } from '../../../../src-main/mesh/inference/refusal-message.ts';
import { PROTOCOL_VERSION } from '../../../../src-main/mesh/transport/envelope.ts';
import { QuarryError, type QuarryErrorInit } from '../../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../../src-preload/contract/saying.ts';

it('a worker’s refusal reaches whoever asked in words that steer no terminal', () => {
  const words = '\u001b]52;c;aGk=\u0007no\u202e room';
  const error = errorOf({
    ...{ v: PROTOCOL_VERSION, type: 'inference_error', requestId: '0'.repeat(32), code: 'OVERLOADED', retry: true },
    ...{ message: words, hint: words, field: words },
  });
  const clean = ']52;c;aGk=no room';
  expect(error).toMatchObject({ code: 'OVERLOADED', message: clean, hint: clean, field: clean });
});

const common = { v: PROTOCOL_VERSION, type: 'inference_error', requestId: '0'.repeat(32), code: 'OVERLOADED' } as const;
/** What the client makes of an error of the worker, over the wire and held to its schema. */
function received(error: QuarryErrorInit): QuarryError {
  const bytes = JSON.stringify(refusalMessage(common.requestId, new QuarryError(error)));
  const message = inferenceMessageSchema.parse(JSON.parse(bytes));
  if (message.type !== 'inference_error') throw new Error(message.type);
  return errorOf(message);
}

it('a refusal of Quarry’s own words comes by key, so that the screens say it in their language', () => {
  const heat = say('mesh.rate', { tier: 'gold', perMinute: 60 });
  const message = say('mesh.paused', { reasons: [heat, 'free text'] });
  const hint = say('mesh.setClock');
  expect(received({ code: 'OVERLOADED', message, hint })).toMatchObject({
    message: 'Paused: A gold client may ask this worker 60 times a minute. free text',
    said: { message, hint },
  });
  expect(received({ code: 'OVERLOADED', message: 'free text', hint }).said).toEqual({ hint });
});

it('of a failure its worker tells nothing, by key neither', () => {
  const { message, said } = received({ code: 'DISK_FULL', message: 'ENOSPC /home/me' });
  expect(message).toMatch(/^The worker failed/);
  expect(said).toEqual({ message: say('mesh.workerFailed') });
});

it('what is too long, or goes too deep, comes as the sentence alone', () => {
  const long = say('mesh.otherModel', { names: 'm'.repeat(600), model: 'tiny' });
  expect(received({ code: 'OVERLOADED', message: long }).said).toBeUndefined();
  const deep = say('mesh.paused', { reasons: [say('mesh.paused', { reasons: [say('mesh.setClock')] })] });
  expect(received({ code: 'OVERLOADED', message: deep }).said).toBeUndefined();
});

it.each<[what: string, said: Saying]>([
  ['says something else than its sentence', say('mesh.shuttingDown')],
  ['is not known here', { key: 'mesh.ofTomorrow' }],
  ['is none of ours', { key: 'constructor' }],
  [
    'is within one that is known, and not known',
    { key: 'mesh.paused', params: { reasons: [{ key: 'mesh.ofTomorrow' }] } },
  ],
])('a key that %s is passed over', (_, message) => {
  const error = errorOf({
    ...common,
    message: 'The worker has stopped mining.',
    retry: true,
    said: { message } as never,
  });
  expect(error).toMatchObject({ message: 'The worker has stopped mining.', said: undefined });
});

it.each<[what: string, params: unknown]>([
  ['nine parameters', Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`p${index}`, 1]))],
  ['a list of nine', { reasons: Array(9).fill('') }],
  ['a text that is too long', { reasons: 'x'.repeat(501) }],
  ['sentences in sentences in sentences', { reasons: [{ key: 'a', params: { b: { key: 'c' } } }] }],
])('%s is an offence', (_, params) => {
  const message = { ...common, message: '', retry: true, said: { message: { key: 'mesh.paused', params } } };
  expect(inferenceMessageSchema.safeParse(message).success).toBe(false);
});
