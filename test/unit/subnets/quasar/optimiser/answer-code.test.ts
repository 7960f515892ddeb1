import { expect, it } from 'vitest';
import { codeOf } from '../../../../../src-main/subnets/quasar/optimiser/answer-code.ts';

it('is the longest block that stands in fences', () => {
  expect(codeOf('Sure!\n```ts\nlet a = 1;\n```\nbye')).toBe('let a = 1;\n');
  expect(codeOf('```\nx\n```\nthen\n~~~assemblyscript\nlet longer = 2;\n~~~')).toBe('let longer = 2;\n');
  expect(codeOf('````ts\nlet s = 1;\n```\nlet t = 2;\n````')).toBe('let s = 1;\n```\nlet t = 2;\n');
});

it('is there where the answer was cut off, and not where there is none', () => {
  expect(codeOf('```ts\nlet a = 1;\nlet b')).toBe('let a = 1;\nlet b\n');
  expect([codeOf('I cannot.'), codeOf(''), codeOf('```ts\n```'), codeOf('```')]).toEqual(Array(4).fill(undefined));
});

it('is found in time, whatever stands there', () => {
  const began = process.cpuUsage();
  codeOf('```\n'.repeat(100_000));
  codeOf(' '.repeat(500_000));
  codeOf(`\`\`\`${'`'.repeat(500_000)}`);
  expect(process.cpuUsage(began).user / 1e6).toBeLessThan(20);
});
