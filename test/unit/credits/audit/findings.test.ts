import { expect, it } from 'vitest';
import { Findings } from '../../../../src-main/credits/audit/findings.ts';

it('lists the first findings and counts the rest', () => {
  const findings = new Findings(2);
  expect(findings.list()).toEqual([]);
  for (const problem of ['a', 'b', 'c', 'd']) findings.add(problem);
  expect(findings.list()).toEqual(['a', 'b', '… and 2 more']);
});
