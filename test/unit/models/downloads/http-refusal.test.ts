import { describe, expect, it } from 'vitest';
import { connectionError } from '../../../../src-main/models/downloads/http-refusal.ts';

describe('connectionError', () => {
  it('looks for the code below what wraps it', () => {
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const wrapped = Object.assign(new Error('other side closed', { cause }), { code: 'UND_ERR_SOCKET' });
    expect(connectionError('example.org', wrapped).message).toBe('example.org: nobody answers there (ECONNREFUSED).');
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
