/**
 * The code by which two nodes of one owner find each other: 105 random bits and a check of 15, as 24 characters of Crockford's base32, which
 * has no I, L, O and U. With so many bits nobody guesses it from what the DHT shows, however long he tries.
 */

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** What people read in the place of another character. */
const ALIKE: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1' };
/** Random characters of a code; three of check follow them. */
export const SECRET_CHARS = 21;
const CHECK_CHARS = 3;
const GROUP = 4;
/** A prime below 2¹⁵: a wrong character, and two that were swapped, always change the rest. */
const CHECK_PRIME = 32_749n;

/** A code as it is shown. @param random one byte for each random character; of each the low five bits count */
export function pairingCode(random: Uint8Array): string {
  const secret = [...random.subarray(0, SECRET_CHARS)].map((byte) => ALPHABET[byte % 32]).join('');
  return shown(secret + checkOf(secret));
}

/** What has been typed or pasted, without spaces and dashes, in the code's own characters. */
export function typedCode(text: string): string {
  return text
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replace(/[OIL]/g, (char) => ALIKE[char] ?? char);
}

/** In groups of four. */
export function shown(code: string): string {
  return code.match(new RegExp(`.{1,${GROUP}}`, 'gu'))?.join('-') ?? '';
}

/** What is wrong with what was typed: not all of it is there, or a character is wrong. */
export type CodeFault = 'short' | 'long' | 'character' | 'typo';

/** What is wrong with a typed code; undefined for one that is as a node has shown it. */
export function codeFault(text: string): CodeFault | undefined {
  const code = typedCode(text);
  if ([...code].some((char) => !ALPHABET.includes(char))) return 'character';
  if (code.length !== SECRET_CHARS + CHECK_CHARS) return code.length < SECRET_CHARS + CHECK_CHARS ? 'short' : 'long';
  return checkOf(code.slice(0, SECRET_CHARS)) === code.slice(SECRET_CHARS) ? undefined : 'typo';
}

/** Longest text that is looked at as a code. */
export const MAX_CODE_CHARS = 100;

function checkOf(secret: string): string {
  let rest = 0n;
  for (const char of secret) rest = (rest * 32n + BigInt(ALPHABET.indexOf(char))) % CHECK_PRIME;
  rest = (rest * 32n ** BigInt(CHECK_CHARS)) % CHECK_PRIME;
  let check = '';
  for (let at = 0; at < CHECK_CHARS; at++) {
    check = ALPHABET[Number(rest % 32n)] + check;
    rest /= 32n;
  }
  return check;
}

/** The first 64 bits of a node's id, in groups: what two people compare, each on a screen. */
export const fingerprint = (id: string): string => shown(id.slice(0, 16)).replaceAll('-', ' ');
