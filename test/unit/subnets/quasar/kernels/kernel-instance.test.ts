import { expect, it } from 'vitest';
import { KernelInstance } from '../../../../../src-main/subnets/quasar/kernels/kernel-instance.ts';

/** One function that is exported twice under a name: the compiler repeats it. */
function exportedTwice(name: string): Uint8Array<ArrayBuffer> {
  const named = [Buffer.byteLength(name), ...Buffer.from(name), 0, 0];
  const section = (id: number, ...bytes: number[]) => [id, bytes.length, ...bytes];
  const head = [...Buffer.from('0061736d01000000', 'hex')];
  const [type, declared, code] = [section(1, 1, 0x60, 0, 0), section(3, 1, 0), section(10, 1, 2, 0, 0x0b)];
  return new Uint8Array([...head, ...type, ...declared, ...section(7, 2, ...named, ...named), ...code]);
}

it('what steers a terminal in a name of a module is not in what is told of it', () => {
  const start = () => new KernelInstance(exportedTwice('\u001b[31mred\u202e'));
  const error = expect.stringMatching(/^[^\p{Cc}\u202e]*red[^\p{Cc}\u202e]*$/u);
  expect(start).toThrowError(expect.objectContaining({ found: { fault: 'traps', error } }));
});
