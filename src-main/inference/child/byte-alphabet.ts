const utf8 = new TextEncoder();

/**
 * Byte-level BPE writes each byte as one printable character: printable Latin-1 as it is, the 68 others as the
 * characters from U+0100 on, in order (GPT-2, `bytes_to_unicode`). The character of each byte.
 */
export const BYTE_CHARACTERS: readonly string[] = byteCharacters();

const BYTE_OF: ReadonlyMap<string, number> = new Map(BYTE_CHARACTERS.map((character, byte) => [character, byte]));

function byteCharacters(): string[] {
  const isPrintable = (byte: number) =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || (byte >= 0xae && byte <= 0xff);
  let next = 0x100;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(isPrintable(byte) ? byte : next++));
}

/** The bytes of a token. Characters outside the alphabet stand for their own UTF-8 bytes, as in llama.cpp. */
export function fromByteAlphabet(written: string): Uint8Array {
  return Uint8Array.from([...written].flatMap((character) => BYTE_OF.get(character) ?? [...utf8.encode(character)]));
}
