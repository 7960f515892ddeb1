import { expect, it } from 'vitest';
import { ropeOf } from '../../../src-main/inference/host/local-options.ts';
import { longestContext, ropeOverride } from '../../../src-main/inference/rope.ts';

const REACH = { contextLength: 32_768, originalContext: 8_192, hasRope: true };

it('reaches as far as the file says, or a factor beyond what the model was trained for', () => {
  expect(longestContext(REACH)).toBe(32_768);
  expect(longestContext(REACH, { type: 'yarn', factor: 2.5 })).toBe(20_480);
  expect(longestContext(REACH, { type: 'yarn', factor: 2.5, originalContext: 1_001 })).toBe(2_502);
  expect(longestContext(REACH, { type: 'yarn', factor: 64, originalContext: 9_000_000 })).toBe(10_000_000);
  expect(longestContext({ ...REACH, hasRope: false }, { type: 'yarn', factor: 2 })).toBe(32_768);
});

it('tells llama.cpp a factor that is no integer, and as a float of 32 bits the very same', () => {
  for (const factor of [1, 2, 2.5, 4, 64]) {
    const told = ropeOverride(REACH, { type: 'linear', factor })?.rope.scaling.factor ?? 0;
    expect(Number.isInteger(told)).toBe(false);
    expect(Math.fround(told)).toBe(Math.fround(factor));
  }
});

it('tells it of the type, and from where the factor starts', () => {
  expect(ropeOverride(REACH, { type: 'yarn', factor: 2 })).toMatchObject({
    context_length: 16_384,
    rope: { scaling: { type: 'yarn', original_context_length: 8_192 } },
  });
  expect(ropeOverride(REACH, undefined)).toBeUndefined();
  expect(ropeOverride({ ...REACH, hasRope: false }, { type: 'yarn', factor: 2 })).toBeUndefined();
});

it('is scaled by what is set, if anything is', () => {
  expect(ropeOf({ scaling: 'none', factor: 4 })).toBeUndefined();
  expect(ropeOf({ scaling: 'yarn', factor: 4 })).toEqual({ type: 'yarn', factor: 4 });
  expect(ropeOf({ scaling: 'linear', factor: 2, originalContext: 4_096 })).toEqual({
    ...{ type: 'linear', factor: 2, originalContext: 4_096 },
  });
});
