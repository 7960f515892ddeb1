import { expect, it } from 'vitest';
import { FACT_PROBES } from '../../../../src-main/learning/evaluation/probes/facts.ts';
import { ANCHORS } from '../../../../src-main/learning/evaluation/prompts/anchors.ts';

it('what is to stay as it is is never what it is measured with', () => {
  const measured = new Set(FACT_PROBES.map(({ messages }) => messages.at(-1)?.content));
  expect(measured.size).toBe(FACT_PROBES.length);
  expect(ANCHORS.filter((question) => measured.has(question))).toEqual([]);
  expect(new Set(ANCHORS).size).toBe(ANCHORS.length);
});
