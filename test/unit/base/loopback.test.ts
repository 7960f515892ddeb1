import { describe, expect, it } from 'vitest';
import { isLoopback } from '../../../src-main/base/loopback.ts';

describe('addresses that only this machine can reach', () => {
  it.each([
    ['127.0.0.1', true],
    ['127.8.8.8', true],
    ['::1', true],
    ['0:0:0:0:0:0:0:1', true],
    ['::ffff:127.0.0.1', true],
    ['::FFFF:7f08:808', true],
    ['localhost', true],
    ['::2', false],
    ['::ffff:10.0.0.1', false],
    ['::127.0.0.1', false],
    ['127.0.0.1 ', false],
    ['', false],
    ['0.0.0.0', false],
    ['::', false],
    ['192.168.1.5', false],
    ['example.org', false],
    ['127.0.0.1.example.org', false],
  ])('%s is a loopback address: %s', (host, expected) => {
    expect(isLoopback(host)).toBe(expected);
  });
});
