import { describe, expect, it } from 'vitest';
import { connectionError, parseRetryAfter } from '../../../../src-main/models/downloads/http-refusal.ts';

const NOW = Date.UTC(2026, 0, 1);

describe('parseRetryAfter', () => {
  it.each([
    ['120', 120_000],
    ['0', 0],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['999999', 600_000],
    ['Fri, 01 Jan 2027 00:00:00 GMT', 600_000],
    ['soon', undefined],
    [undefined, undefined],
  ])('of %s', (value, expected) => {
    expect(parseRetryAfter(value, NOW)).toBe(expected);
  });
});

describe('connectionError', () => {
  it('looks for the code below what wraps it', () => {
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const wrapped = Object.assign(new Error('other side closed', { cause }), { code: 'UND_ERR_SOCKET' });
    expect(connectionError('example.org', wrapped).message).toBe('example.org: nobody answers there (ECONNREFUSED).');
  });

  it('has words for what it does not know', () => {
    expect(connectionError('example.org', new Error('?')).message).toBe('example.org: the connection broke.');
  });
});
