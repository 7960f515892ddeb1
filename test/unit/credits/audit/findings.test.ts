import { expect, it } from 'vitest';
import { Findings } from '../../../../src-main/credits/audit/findings.ts';
import { say, sentence } from '../../../../src-preload/contract/saying.ts';

it('lists the first findings and counts the rest', () => {
  const findings = new Findings(2);
  expect(findings.list()).toEqual([]);
  for (const id of ['a', 'b', 'c', 'd']) findings.add(say('ledger.bookedTwice', { id }));
  const listed = ['receipt a is booked twice', 'receipt b is booked twice', '… and 2 more'];
  expect(findings.list().map(sentence)).toEqual(listed);
});
