import { randomBytes } from 'node:crypto';

/** 256 random bits as text that needs no escaping anywhere. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}
