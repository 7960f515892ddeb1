/** Whether a program printed what is expected: ends of lines, and of the whole, do not count (Affine, DED and ABD). */
export function printsSame(printed: string, expected: string): boolean {
  return plain(printed) === plain(expected);
}

const plain = (text: string) =>
  text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();
