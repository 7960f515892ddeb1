import { ENTRY_PIECE_BYTES } from '../../../../src-preload/contract/competition-numbers.ts';
import { client } from '../../../api/client.ts';

/** Brings a file to the node, which may run on another computer, piece by piece. @returns its SHA-256, 64 hex */
export async function bringFile(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const sha256 = hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
  for (let from = 0; from < bytes.length; ) {
    const piece = base64Of(bytes.subarray(from, from + ENTRY_PIECE_BYTES));
    from = (await client.competition.bring({ sha256, bytes: bytes.length, from, piece })).next;
  }
  return sha256;
}

const hexOf = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
