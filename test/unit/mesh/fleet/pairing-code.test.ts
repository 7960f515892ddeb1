import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { codeFault, fingerprint, pairingCode, typedCode } from '../../../../src-preload/contract/pairing-code.ts';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const fresh = () => pairingCode(randomBytes(21));

it('a code has 24 characters in groups of four, and never the same', () => {
  const codes = Array.from({ length: 200 }, fresh);
  for (const code of codes) {
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(codeFault(code)).toBeUndefined();
  }
  expect(new Set(codes).size).toBe(200);
});

it('is read as people type and paste it', () => {
  const code = pairingCode(new Uint8Array(21).fill(1)); // many a 1
  const sloppy = ` ${code.toLowerCase().replaceAll('-', ' ').replaceAll('1', 'l')}\n`;
  expect(typedCode(sloppy)).toBe(code.replaceAll('-', ''));
  expect(codeFault(sloppy)).toBeUndefined();
  expect(codeFault(code.replaceAll('-', '–'))).toBeUndefined();
});

it('tells every wrong character and every two that were swapped, and what is missing', () => {
  const code = typedCode(fresh());
  for (let at = 0; at < code.length; at++) {
    for (const char of ALPHABET) {
      const wrong = code.slice(0, at) + char + code.slice(at + 1);
      expect(codeFault(wrong), `${char} at ${at}`).toBe(char === code[at] ? undefined : 'typo');
    }
    const [one = '', other = ''] = code.slice(at, at + 2);
    const swapped = code.slice(0, at) + other + one + code.slice(at + 2);
    if (swapped !== code && other) expect(codeFault(swapped), `swapped at ${at}`).toBe('typo');
  }
  expect(codeFault(code.slice(1))).toBe('short');
  expect(codeFault(`${code}0`)).toBe('long');
  expect(codeFault(`${code.slice(1)}!`)).toBe('character');
  expect(codeFault('')).toBe('short');
});

it('shows the beginning of an id in groups', () => {
  expect(fingerprint(`0123456789abcdef${'0'.repeat(48)}`)).toBe('0123 4567 89ab cdef');
});
