const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const [TIME_DIGITS, RANDOM_BYTES] = [10, 10];

/**
 * A ULID (github.com/ulid/spec): 48 bits of time and 80 of chance, as 26 digits whose order is that of time.
 * @param now Unix milliseconds @param chance gives so many random bytes
 */
export function ulid(now: number, chance: (count: number) => Uint8Array): string {
  let value = BigInt(now);
  for (const byte of chance(RANDOM_BYTES)) value = (value << 8n) | BigInt(byte);
  let text = '';
  for (let digit = 0; digit < TIME_DIGITS + (RANDOM_BYTES * 8) / 5; digit++) {
    text = DIGITS[Number(value & 31n)] + text;
    value >>= 5n;
  }
  return text;
}

/** The number of a ULID, 128 bits, modulo another. */
export function ulidModulo(text: string, modulus: number): number {
  let rest = 0;
  for (const digit of text) rest = (rest * 32 + DIGITS.indexOf(digit)) % modulus;
  return rest;
}
