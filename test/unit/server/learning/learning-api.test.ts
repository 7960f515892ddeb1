import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { LearningDoor, Learnt, WantedLearning } from '../../../../src-main/server/learning/learning-door.ts';
import type { AskedOptions } from '../../../../src-main/server/openai/generator.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { AS_OWNER, chat, openServer, type RawResponse, raw, says } from '../../../support/server-harness.ts';
import { until } from '../../../support/until.ts';

const ACCEPTED: Learnt = {
  feedback: [4],
  outcome: {
    ...{ run: 'r', state: 'accepted', version: 'user/x-20261127-121900' },
    ...{ figures: { total_loss: 0.5 }, trainingMs: 1_200, savingMs: 30 },
  },
};

/** A node that learns as the test says. */
async function node(door: Partial<LearningDoor> = {}) {
  const asked: unknown[] = [];
  const noted = async (wanted: unknown) => void asked.push(wanted);
  const { url, generator } = await openServer({
    learning: {
      learn: async (wanted) => {
        await noted(wanted);
        return ACCEPTED;
      },
      list: async (prefix) => ['user/x-init', 'user/x-latest', 'other'].filter((id) => id.startsWith(prefix)),
      init: async (wanted) => {
        await noted(wanted);
        return `${wanted.name}-init`;
      },
      remove: async (ref) => ref === 'user/x-init',
      export: async () => Readable.from([Buffer.from('PK'), Buffer.from('zip')]),
      bases: () => ['tiny'],
      hindrance: () => undefined,
      ...door,
    },
  });
  const post = (path: string, body: object | string, headers: Record<string, string> = {}) =>
    raw(`${url}${path}`, { body, headers: { ...AS_OWNER, ...headers } });
  return { url, generator, asked, post, get: (path: string) => raw(`${url}${path}`, { headers: AS_OWNER }) };
}

const item = { lora_id: 'user/x-latest', prompt: 'Is four even?', response: 'It is.', feedback: 'Be brief.' };
const failure = ({ status, json }: RawResponse) => [status, json.error.param, json.detail === json.error.message];

describe('POST /v1/feedback', () => {
  it('learns a batch, with the original’s defaults, and answers in its shape', async () => {
    const { post, asked } = await node();
    const { status, json } = await post('/v1/feedback', { requests: [item, { ...item, completion_id: 'chatcmpl-1' }] });
    expect(asked).toEqual([
      {
        adapter: 'user/x-latest',
        items: [
          { completion: undefined, response: 'It is.', feedback: 'Be brief.' },
          { completion: 'chatcmpl-1', response: 'It is.', feedback: 'Be brief.' },
        ],
        training: { learningRate: 3e-5, alpha: 0.5, isClip: 5, maxGradNorm: 1, klRegWeight: 0, teacherTopK: 100 },
        ...{ wait: true, key: undefined },
      },
    ]);
    expect([status, json]).toEqual([
      200,
      {
        ...{ status: 'ok', request_id: expect.any(String), lora_id: 'user/x-latest', batch_size: 2 },
        distill_result: { lora_id: 'user/x-20261127-121900', metadata: { total_loss: 0.5 } },
        vllm: { slept: false, woke: false },
        feedback_log_path: '',
        timing_ms: { sleep: 0, distill: 1_200, save: 30, wake: 0, logprobs: 0, total: expect.any(Number) },
        ...{ feedback_ids: [4], run: 'r', reason: null },
      },
    ]);
  });

  it('does not wait where that is not wanted, and counts once what has the same key', async () => {
    const asked: WantedLearning[] = [];
    const learn = async (wanted: WantedLearning) => {
      asked.push(wanted);
      return { feedback: [4] };
    };
    const { post } = await node({ learn });
    const body = { requests: [item], orchestration: { wait: false, sleep_level: 2 } };
    const { status, json } = await post('/v1/feedback', body, { 'idempotency-key': 'abc' });
    expect([status, json.status, json.distill_result]).toEqual([202, 'queued', null]);
    expect(asked).toMatchObject([{ wait: false, key: 'abc' }]);
  });

  it('never says «ok» of what was not accepted', async () => {
    const outcome = (state: 'rolled-back' | 'failed' | 'cancelled') => async () => ({
      feedback: [4],
      outcome: { ...ACCEPTED.outcome, state, version: null, reason: 'Two facts were forgotten.' } as Learnt['outcome'],
    });
    const answer = async (state: Parameters<typeof outcome>[0]) =>
      (await node({ learn: outcome(state) as LearningDoor['learn'] })).post('/v1/feedback', { requests: [item] });
    const back = await answer('rolled-back');
    expect([back.status, back.json.status, back.json.reason]).toEqual([
      200,
      'rolled-back',
      'Two facts were forgotten.',
    ]);
    const failed = await answer('failed');
    expect([failed.status, failed.json.detail]).toEqual([500, 'distill: Two facts were forgotten.']);
    expect((await answer('cancelled')).status).toBe(503);
  });

  it.each([
    ['learning_rate', 0],
    ['learning_rate', -1],
    ['alpha', -0.1],
    ['alpha', 1.1],
    ['alpha', 0],
    ['is_clip', 0.5],
    ['is_clip', 21],
    ['max_grad_norm', -1],
    ['max_grad_norm', 1e9],
    ['kl_reg_weight', 1.5],
    ['teacher_top_k', 9],
    ['teacher_top_k', 101],
    ['teacher_top_k', 10.5],
  ])('refuses %s %d', async (field, value) => {
    const { post, asked } = await node();
    const refused = await post('/v1/feedback', { requests: [{ ...item, training: { [field]: value } }] });
    expect(failure(refused)).toEqual([422, `requests[0].training.${field}`, true]);
    if (field === 'alpha' && value === 0) expect(refused.json.detail).toContain('nothing would be learnt');
    expect(asked).toEqual([]);
  });

  it('takes what stands at the limits', async () => {
    const { post } = await node();
    for (const training of [
      { alpha: 1, is_clip: 1, teacher_top_k: 10 },
      { alpha: 0.001, is_clip: 20, kl_reg_weight: 1, max_grad_norm: 1e6 },
    ])
      expect((await post('/v1/feedback', { requests: [{ ...item, training }] })).status).toBe(200);
  });

  it('refuses what is empty, too long, or of more than one kind', async () => {
    const { post, asked } = await node();
    const refusal = async (body: object, headers = {}) => failure(await post('/v1/feedback', body, headers));
    expect(await refusal({ requests: [] })).toEqual([422, 'requests', true]);
    expect(await refusal({})).toEqual([422, 'requests', true]);
    for (const field of ['prompt', 'response', 'feedback'])
      expect(await refusal({ requests: [{ ...item, [field]: '' }] })).toEqual([422, `requests[0].${field}`, true]);
    expect(await refusal({ requests: [{ ...item, feedback: 'x'.repeat(8_001) }] })).toEqual([
      ...[422, 'requests[0].feedback', true],
    ]);
    expect(await refusal({ requests: Array.from({ length: 65 }, () => item) })).toEqual([422, 'requests', true]);
    expect(await refusal({ requests: [item, { ...item, lora_id: 'other' }] })).toEqual([400, 'lora_id', true]);
    expect(await refusal({ requests: [item, { ...item, training: { alpha: 1 } }] })).toEqual([400, 'training', true]);
    expect(await refusal({ requests: [item], orchestration: { sleep_level: 3 } })).toEqual([
      ...[422, 'orchestration.sleep_level', true],
    ]);
    expect(await refusal({ requests: [item], training: { alpha: 1 } })).toEqual([422, 'training', true]); // not one for all
    expect(await refusal({ requests: [item] }, { 'idempotency-key': 'a b' })).toEqual([422, 'Idempotency-Key', true]);
    expect(asked).toEqual([]);
  });

  it.each([
    ['ANSWER_NOT_FOUND', 404],
    ['MODEL_NOT_FOUND', 404],
    ['LEARNING_BUSY', 409],
    ['ANSWER_INCOMPLETE', 422],
    ['NOT_RUNNING', 503],
    ['OVERLOADED', 503],
  ] as const)('says %s by the status %d', async (code, status) => {
    const learn = () => Promise.reject(new QuarryError({ code, message: 'Why.' }));
    const { post } = await node({ learn });
    const refused = await post('/v1/feedback', { requests: [item] });
    expect([refused.status, refused.json.detail]).toEqual([status, 'Why.']);
  });

  it('says 422 where the key stands for something else already, and 400 of another bad request', async () => {
    for (const [field, status, param] of [
      ['key', 422, 'Idempotency-Key'],
      ['requests', 400, 'requests'],
    ] as const) {
      const learn = () => Promise.reject(new QuarryError({ code: 'BAD_REQUEST', message: 'Why.', field }));
      const { post } = await node({ learn });
      const refused = await post('/v1/feedback', { requests: [item] }, { 'idempotency-key': 'abc' });
      expect([...failure(refused), refused.json.detail]).toEqual([status, param, true, 'Why.']);
    }
  });

  it('ends the waiting when the client goes away', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const learn = (_wanted: WantedLearning, signal: AbortSignal) =>
      new Promise<Learnt>((_, reject) => {
        begun.resolve();
        signal.addEventListener('abort', () => {
          resolve();
          reject(signal.reason);
        });
      });
    const { url } = await node({ learn });
    const leaving = new AbortController();
    const body = JSON.stringify({ requests: [item] });
    const headers = { ...AS_OWNER, 'content-type': 'application/json' };
    const asked = fetch(`${url}/v1/feedback`, { method: 'POST', body, headers, signal: leaving.signal });
    await begun.promise;
    leaving.abort();
    await expect(asked).rejects.toThrow();
    await promise;
  });
});

describe('POST /v1/score', () => {
  const messages = [{ role: 'user', content: 'Is four even?' }];

  it('says how likely an answer is', async () => {
    const { post, generator } = await node();
    Object.assign(generator, { countTokens: async () => 12 });
    const { status, json } = await post('/v1/score', { model: 'tiny', messages, completion: 'Yes' });
    expect([status, json]).toEqual([
      200,
      {
        ...{ logprobs: [0, -1, -2], tokens: ['Y', 'e', 's'] },
        ...{ prompt_tokens: 12, completion_tokens: 3, logprob_sum: 0 },
      },
    ]);
    const empty = await post('/v1/score', { messages, completion: '' });
    expect(empty.json).toEqual({
      ...{ logprobs: [], tokens: [], prompt_tokens: 12, completion_tokens: 0, logprob_sum: 0 },
    });
  });

  it('refuses what it cannot', async () => {
    const { post } = await node();
    const refusal = async (body: object) => failure(await post('/v1/score', body));
    expect(await refusal({ model: 'never', messages, completion: 'Yes' })).toEqual([404, 'model', true]);
    expect(await refusal({ model: 'tiny', messages, completion: 'Yes' })).toEqual([503, 'model', true]);
    expect(await refusal({ messages: [], completion: 'Yes' })).toEqual([422, 'messages', true]);
    expect(await refusal({ messages })).toEqual([422, 'completion', true]);
  });
});

describe('/v1/lora', () => {
  it('makes an adapter, with the original’s defaults', async () => {
    const { post, asked } = await node();
    const first = await post('/v1/lora/init', { lora_id: 'user/x' });
    expect([first.status, first.json]).toEqual([200, { lora_id: 'user/x-init' }]);
    const modules = ['q_proj', 'v_proj'];
    await post('/v1/lora/init', {
      ...{ lora_id: 'y', base_model: 'tiny', lora_r: 4, lora_alpha: 8, target_modules: modules },
    });
    expect(asked).toEqual([
      { name: 'user/x', rank: 32, alpha: 64 },
      { name: 'y', rank: 4, alpha: 8, modules },
    ]);
  });

  it('refuses another base, and sizes out of range', async () => {
    const { post } = await node();
    const refusal = async (more: object) => failure(await post('/v1/lora/init', { lora_id: 'x', ...more }));
    expect(await refusal({ base_model: 'Qwen/Qwen3-8B' })).toEqual([403, 'base_model', true]);
    for (const [field, value] of Object.entries({ lora_r: 3, lora_alpha: 257, lora_id: '' }))
      expect(await refusal({ [field]: value })).toEqual([422, field, true]);
    expect(await refusal({ lora_r: 129 })).toEqual([422, 'lora_r', true]);
  });

  it('lists, deletes and exports', async () => {
    const { get, url } = await node();
    expect((await get('/v1/lora')).json).toEqual({ loras: ['user/x-init', 'user/x-latest', 'other'] });
    expect((await get('/v1/lora?prefix=user/')).json).toEqual({ loras: ['user/x-init', 'user/x-latest'] });
    const drop = (id: string) => raw(`${url}/v1/lora?lora_id=${id}`, { method: 'DELETE', headers: AS_OWNER });
    expect((await drop('user/x-init')).json).toEqual({ deleted: true });
    expect((await drop('never')).json).toEqual({ deleted: false });
    expect(failure(await raw(`${url}/v1/lora`, { method: 'DELETE', headers: AS_OWNER }))).toEqual([
      422,
      'lora_id',
      true,
    ]);
    const zip = await get('/v1/lora/export?lora_id=user/x-latest');
    expect([zip.status, zip.text, zip.headers['content-type'], zip.headers['content-disposition']]).toEqual([
      ...[200, 'PKzip', 'application/zip', 'attachment; filename="user__x-latest.zip"'],
    ]);
  });

  it.each(['while it is made', 'before it is read'])(
    'leaves nothing of an export that nobody waits for %s',
    async (when) => {
      const [asked, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const zip = new Readable({ read: () => undefined });
      const { url } = await node({
        async export() {
          asked.resolve();
          if (when === 'while it is made') await gone.promise;
          return zip;
        },
      });
      const leaving = new AbortController();
      const answer = fetch(`${url}/v1/lora/export?lora_id=x`, { headers: AS_OWNER, signal: leaving.signal });
      await asked.promise;
      leaving.abort();
      await expect(answer).rejects.toThrow();
      gone.resolve();
      await until(() => expect(zip.destroyed).toBe(true));
    },
  );

  it('exports nothing that is not there, and lets no name into a header', async () => {
    const missing = async () => Promise.reject(new QuarryError({ code: 'MODEL_NOT_FOUND', message: 'No.' }));
    const { get } = await node({ export: missing });
    expect((await get('/v1/lora/export?lora_id=never')).status).toBe(404);
    const { get: read } = await node();
    const { headers } = await read(`/v1/lora/export?lora_id=${encodeURIComponent('a"\r\nb: c')}`);
    expect([headers['content-disposition'], headers.b]).toEqual(['attachment; filename="a___b__c.zip"', undefined]);
  });
});

describe('/health', () => {
  it('says whether something can be learnt', async () => {
    const { get } = await node();
    for (const path of ['/health', '/v1/health'])
      expect((await get(path)).json).toEqual({ status: 'healthy', worker: { status: 'healthy' } });
    const { get: read } = await node({ hindrance: () => 'Nothing is learnt on this node.' });
    expect((await read('/v1/health')).json).toEqual({
      ...{ status: 'degraded', worker: { status: 'unavailable', error: 'Nothing is learnt on this node.' } },
    });
  });
});

it('wants the token of the OpenAI API', async () => {
  const token = 'a token of more than thirty-two characters';
  const { url } = await openServer({ token, learning: {} as LearningDoor });
  for (const [method, path] of [
    ['POST', '/v1/feedback'],
    ['POST', '/v1/score'],
    ['POST', '/v1/lora/init'],
    ['GET', '/v1/lora'],
    ['DELETE', '/v1/lora'],
    ['GET', '/v1/lora/export'],
    ['GET', '/v1/health'],
    ['GET', '/health'],
  ] as const)
    expect((await raw(`${url}${path}`, { method })).status).toBe(401);
});

describe('who brings no token, where the API is open to all programs of this computer: another account of it, too', () => {
  it.each([
    ['POST', '/v1/feedback'],
    ['POST', '/v1/lora/init'],
    ['GET', '/v1/lora'],
    ['DELETE', '/v1/lora?lora_id=user%2Fx-init'],
    ['GET', '/v1/lora/export?lora_id=user%2Fx-init'],
  ])('teaches the owner’s model nothing, and reads and deletes nothing of it: %s %s', async (method, path) => {
    const { url, asked } = await node();
    const body = method === 'POST' ? { requests: [item], lora_id: 'mine' } : undefined;
    const { status, json } = await raw(`${url}${path}`, { method, body });
    expect([status, json.error.code, asked]).toEqual([401, 'invalid_api_key', []]);
  });

  it('may ask how likely a text is, and whether something can be learnt, as it may ask for answers', async () => {
    const { url } = await node();
    const body = { model: 'tiny', messages: [{ role: 'user', content: 'Hi' }], completion: 'Ho' };
    expect((await raw(`${url}/v1/score`, { body })).status).not.toBe(401);
    expect((await raw(`${url}/health`)).status).toBe(200);
  });

  it('gets answers of which nothing is kept to learn from', async () => {
    const { url, generator } = await openServer();
    const kept: (string | undefined)[] = [];
    generator.script = () => says('Hello');
    const generate = generator.generate.bind(generator);
    generator.generate = (request, options: AskedOptions = {}) => {
      kept.push(options.keepAs);
      return generate(request, options);
    };
    await raw(`${url}/v1/chat/completions`, { body: chat() });
    await raw(`${url}/v1/chat/completions`, { body: chat(), headers: { authorization: 'Bearer none' } });
    await raw(`${url}/v1/chat/completions`, { body: chat(), headers: AS_OWNER });
    expect(kept).toEqual([undefined, undefined, expect.stringMatching(/^chatcmpl-/)]);
  });
});

it('a server without it knows no such address', async () => {
  const { url } = await openServer();
  expect((await raw(`${url}/v1/lora`)).status).toBe(404);
});
