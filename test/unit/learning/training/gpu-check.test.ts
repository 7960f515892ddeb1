import { expect, it } from 'vitest';
import type { LoraAdapter } from '../../../../src-main/learning/formats/lora-adapter.ts';
import { checkGpu } from '../../../../src-main/learning/training/page/gpu-check.ts';
import { checkedGradients, largestDifference } from '../../../../src-main/learning/training/page/self-check.ts';
import { sentence } from '../../../../src-preload/contract/saying.ts';
import { scriptedSpawner } from '../../../support/scripted-spawner.ts';

const device = { name: 'acme one', isSoftware: false, flops: 5e11 };

/** What is made of an answer of the process. */
async function judged(answer: object, acceptsSoftware = false): Promise<string> {
  const spawner = scriptedSpawner();
  const checking = checkGpu({ spawner, acceptsSoftware, signal: new AbortController().signal });
  const [child] = spawner.children;
  expect(child?.launch.gpuPage).toBe(true);
  expect(child?.sent).toEqual([{ task: 'check', id: 1 }]);
  child?.onMessage({ id: 1, ...answer });
  const found = await checking;
  expect(spawner.living()).toBe(0);
  return 'gpu' in found ? `takes ${found.gpu}` : sentence(found.why);
}

it('takes a GPU that computes what the processor computes, and faster', async () => {
  expect(await judged({ device, difference: 2e-6 })).toBe('takes acme one');
});

it.each([
  [{ device, difference: 2e-4 }, /^The GPU acme one does not compute what the processor does: .* 0\.020 % apart\.$/],
  [{ device, difference: Number.MAX_VALUE }, /does not compute what the processor does/],
  [
    { device: { ...device, isSoftware: true }, difference: 0 },
    /^WebGPU computes on the processor here \(acme one\)\.$/,
  ],
  [{ device: { ...device, flops: 1e10 }, difference: 0 }, /not faster than the processor: 10 billion/],
  [{ failed: { code: 'UNSUPPORTED', message: 'No WebGPU.' } }, /^No WebGPU\.$/],
  [{ failed: { code: 'INTERNAL', message: 'It broke.' } }, /^The check of the GPU failed: It broke\.$/],
  [{ difference: 'none' }, /^The check of the GPU failed: The trainer/],
])('says why it takes none: %o', async (answer, why) => {
  expect(await judged(answer)).toMatch(why);
});

it('takes one that computes on the processor, or slowly, only for tests; never one that computes something else', async () => {
  const software = { ...device, isSoftware: true, flops: 1e8 };
  expect(await judged({ device: software, difference: 0 }, true)).toBe('takes acme one');
  expect(await judged({ device: software, difference: 1e-3 }, true)).toMatch(/does not compute/);
});

it('sees a gradient that is wrong in one place, missing, or no number', async () => {
  const expected = await checkedGradients();
  expect(largestDifference(await checkedGradients(), expected)).toBe(0);
  const changed = (change: (gradients: LoraAdapter) => void) => {
    const copy = structuredClone(expected);
    change(copy);
    return largestDifference(copy, expected);
  };
  const [[name = '', matrices] = []] = [...expected.matrices];
  const largest = Math.max(...(matrices?.b ?? []).map(Math.abs));
  const b = (gradients: LoraAdapter) => gradients.matrices.get(name)?.b as Float32Array;
  expect(changed((gradients) => (b(gradients)[0] = largest))).toBeGreaterThan(1e-3);
  expect(changed((gradients) => (b(gradients)[0] = Number.NaN))).toBe(Number.MAX_VALUE);
  expect(changed((gradients) => gradients.matrices.delete(name))).toBe(Number.MAX_VALUE);
});
