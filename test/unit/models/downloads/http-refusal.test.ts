import { describe, expect, it } from 'vitest';
import { HttpClient } from '../../../../src-main/models/downloads/http-client.ts';
import { connectionError } from '../../../../src-main/models/downloads/http-refusal.ts';
import type { LookUp } from '../../../../src-main/models/downloads/outward.ts';

describe('connectionError', () => {
  it('looks for the code below what wraps it', () => {
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const wrapped = Object.assign(new Error('other side closed', { cause }), { code: 'UND_ERR_SOCKET' });
    expect(connectionError('example.org', wrapped).message).toBe('example.org: nothing answers there (ECONNREFUSED).');
  });

  it('leaves the wording to whoever shows it', () => {
    const offline = Object.assign(new Error('?'), { code: 'ENETUNREACH' });
    const params = { host: 'example.org', why: { key: 'connection.offline' }, code: 'ENETUNREACH' };
    expect(connectionError('example.org', offline).said).toEqual({ message: { key: 'connection.failedWith', params } });
  });

  it('has words for what it does not know', () => {
    expect(connectionError('example.org', new Error('?')).message).toBe('example.org: the connection broke.');
  });
});

describe('a name without an address', () => {
  const known = (...names: string[]): LookUp => {
    return (name, _options, done) => {
      if (names.includes(name)) done(null, [{ address: '203.0.113.7', family: 4 }]);
      else done(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), []);
    };
  };

  async function failure(lookUp: LookUp) {
    const proxies = { httpProxy: '', httpsProxy: '' };
    const client = new HttpClient({ userAgent: 'quarry/test', lookUp, witness: 'huggingface.co', proxies });
    const asked = client.get(new URL('https://models.example/a.gguf'), {}, new AbortController().signal);
    const error = await asked.catch((reason: unknown) => reason);
    await client.close();
    return error;
  }

  it('means being offline where no other name has one either', async () => {
    expect(await failure(known())).toMatchObject({ reason: 'lost', fault: 'offline' });
  });

  it('means a host that there is not where another name has one', async () => {
    expect(await failure(known('huggingface.co'))).toMatchObject({
      reason: 'gone',
      fault: 'missing',
      message: 'models.example: there is no such host.',
    });
  });
});
