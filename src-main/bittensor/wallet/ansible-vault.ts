import { createDecipheriv, createHmac, pbkdf2Sync, timingSafeEqual } from 'node:crypto';

export const VAULT_PREFIX = '$ANSIBLE_VAULT';
const HEADER = /^\$ANSIBLE_VAULT;1\.[12];AES256(;[^\n]*)?\r?\n/;
const ROUNDS = 10_000;
const HEX = /^[0-9a-f]*$/i;

/**
 * What an Ansible vault of version 1.1 (or 1.2, which names its password) holds: AES-256-CTR, and HMAC-SHA256 of what is encrypted.
 * @returns undefined when the password is wrong or it is no such vault
 */
export function openVault(bytes: Buffer, password: string): Buffer | undefined {
  const text = bytes.toString('latin1');
  const [header] = HEADER.exec(text) ?? [];
  const outer = header && fromHex(text.slice(header.length).replace(/\s/g, ''));
  const [salt, mac, cipher] = (outer || Buffer.alloc(0)).toString('latin1').split('\n').map(fromHex);
  if (!salt || !mac || !cipher) return undefined;
  const keys = pbkdf2Sync(password, salt, ROUNDS, 80, 'sha256');
  const expected = createHmac('sha256', keys.subarray(32, 64)).update(cipher).digest();
  if (mac.length !== expected.length || !timingSafeEqual(mac, expected)) return undefined;
  const decipher = createDecipheriv('aes-256-ctr', keys.subarray(0, 32), keys.subarray(64));
  return withoutPadding(Buffer.concat([decipher.update(cipher), decipher.final()]));
}

/** Undefined for what is not written in hexadecimal digits. */
const fromHex = (text: string): Buffer | undefined =>
  text.length > 0 && text.length % 2 === 0 && HEX.test(text) ? Buffer.from(text, 'hex') : undefined;

/** PKCS#7: the last byte says how many were added. */
function withoutPadding(plain: Buffer): Buffer | undefined {
  const added = plain.at(-1) ?? 0;
  return added >= 1 && added <= 16 && added <= plain.length ? plain.subarray(0, -added) : undefined;
}
