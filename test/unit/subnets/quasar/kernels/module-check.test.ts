import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileKernel } from '../../../../../scripts/build-kernels.ts';
import { MAX_BODY_BYTES, MODULE_BYTES } from '../../../../../src-main/subnets/quasar/kernels/limits.ts';
import { checkModule } from '../../../../../src-main/subnets/quasar/kernels/module-check.ts';

const RESOURCES = resolve(import.meta.dirname, '../../../../../resources/kernels');

/** LEB128 */
function leb(number: number): number[] {
  return number < 0x80 ? [number] : [(number % 0x80) + 0x80, ...leb(Math.floor(number / 0x80))];
}
const section = (id: number, ...bytes: number[]) => [id, ...leb(bytes.length), ...bytes];
const module = (...sections: number[][]) => Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...sections.flat()]);
/** One memory, of one page, with 25 at most. */
const MEMORY = section(5, 1, 1, 1, 25);
/** One function without code of its own. */
const body = (...bytes: number[]) => section(10, 1, ...leb(bytes.length), ...bytes);

describe('a module is looked through before it is compiled', () => {
  it('the baseline is what its source compiles to, and nothing speaks against it', async () => {
    const kept = await readFile(resolve(RESOURCES, 'baseline.wasm'));
    const source = await readFile(resolve(RESOURCES, 'baseline.ts'), 'utf8');
    expect(Buffer.compare(await compileKernel(source), kept)).toBe(0);
    expect(checkModule(kept)).toBeUndefined();
  });

  it('the least that may be there', () => expect(checkModule(module(MEMORY))).toBeUndefined());

  it.each([
    ['an empty file', new Uint8Array(), 'not-a-module'],
    ['a text', Buffer.from('export function step() {}'), 'not-a-module'],
    ['a file that is too large', new Uint8Array(MODULE_BYTES + 1), 'too-large'],
    ['a part that reaches beyond the end', module(MEMORY, [1, 200, 1]), 'not-a-module'],
    ['parts in another order', module(MEMORY, section(1, 0)), 'not-a-module'],
    ['two memories, one in each part', module(MEMORY, MEMORY), 'not-a-module'],
    ['a number without an end', module([1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]), 'not-a-module'],
    ['imports', module(section(2, 1, 1, 97, 1, 98, 0, 0), MEMORY), 'imports'],
    ['exceptions', module(section(13, 1, 0, 0), MEMORY), 'not-a-module'],
    ['objects', module(section(1, 1, 0x5e, 0x7f, 1), MEMORY), 'not-a-module'],
    ['a thousand million types', module(section(1, 0xff, 0xff, 0xff, 0xff, 3), MEMORY), 'not-a-module'],
    ['no memory', module(), 'memory'],
    ['two memories', module(section(5, 2, 1, 1, 25, 1, 1, 25)), 'memory'],
    ['a memory without a maximum', module(section(5, 1, 0, 1)), 'memory'],
    ['a memory of 4 GiB', module(section(5, 1, 1, 1, ...leb(65_536))), 'memory'],
    ['a memory that begins with 4 GiB', module(section(5, 1, 1, ...leb(65_536), ...leb(65_536))), 'memory'],
    ['a memory without room for the judge', module(section(5, 1, 1, 1, 24)), 'memory'],
    ['a shared memory', module(section(5, 1, 3, 1, 25)), 'memory'],
    ['a memory of 64 bits', module(section(5, 1, 5, 1, 25)), 'memory'],
    ['a huge table', module(section(4, 1, 0x70, 0, ...leb(10_001)), MEMORY), 'memory'],
    ['too many functions', module(section(3, ...leb(2_001)), MEMORY), 'too-complex'],
    ['a huge function', module(MEMORY, section(10, 1, ...leb(MAX_BODY_BYTES + 1))), 'too-complex'],
    ['many locals in few bytes', module(MEMORY, body(1, ...leb(50_000), 0x7f, 0x0b)), 'too-complex'],
  ])('%s is refused', (_, bytes, fault) => {
    expect(checkModule(bytes)).toMatchObject({ right: false, fault });
  });

  it('whatever the bytes are, there is a verdict', () => {
    const parts = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 4 });
    fc.assert(
      fc.property(parts, (all) => {
        const made = module(...all.map((bytes, at) => section(at + 1, ...bytes)), MEMORY);
        const verdict = checkModule(made);
        expect(verdict === undefined || verdict.reason.key.startsWith('kernels.')).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
