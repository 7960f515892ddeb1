import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { compileKernel } from '../../../../../scripts/build-kernels.ts';
import { drawCases } from '../../../../../src-main/subnets/quasar/kernels/cases.ts';
import { runCase } from '../../../../../src-main/subnets/quasar/kernels/correctness.ts';
import { KernelInstance } from '../../../../../src-main/subnets/quasar/kernels/kernel-instance.ts';
import { checkModule } from '../../../../../src-main/subnets/quasar/kernels/module-check.ts';
import { SeededRandom } from '../../../../../src-main/validation/seeded-random.ts';

it('the example of docs/kernels.md compiles as it is said there, and is right in all cases', async () => {
  const page = await readFile(resolve(import.meta.dirname, '../../../../../docs/kernels.md'), 'utf8');
  const [, source = ''] = /```ts\n([\s\S]*?)```/.exec(page) ?? [];
  const [, options = ''] = /asc kernel\.ts --outFile kernel\.wasm ([\s\S]*?)```/.exec(page) ?? [];
  const module = await compileKernel(source, options.replace('\\\n', ' ').trim().split(/\s+/));
  expect(checkModule(module)).toBeUndefined();
  const kernel = new KernelInstance(new Uint8Array(module));
  const random = new SeededRandom('example');
  const errors = drawCases(random).map((one, number) => runCase(kernel, one, number, random).error);
  expect(errors.length).toBeGreaterThan(15);
  expect(Math.max(...errors)).toBeGreaterThan(0);
  expect(Math.max(...errors)).toBeLessThan(0.3);
});
