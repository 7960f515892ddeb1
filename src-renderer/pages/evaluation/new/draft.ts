import { create } from 'zustand';
import { SS58_LOOKS } from '../../../../src-preload/contract/address-looks.ts';
import type { EvaluationRequest, EvaluationView } from '../../../../src-preload/contract/evaluation.ts';
import { isBare } from '../../../../src-preload/contract/is-bare.ts';

/** What is to be asked, as it stands in the form. */
export interface Draft {
  target: EvaluationRequest['target'];
  suites: string[];
  lengths: number[];
  /** Those that were typed. */
  ownLengths: number[];
  samples: number;
  ownTexts: boolean;
  twice: boolean;
  seed: string;
}

/** What is offered without typing: from what any model takes up to what QUASAR asks for. */
export const LENGTHS: readonly number[] = [
  ...[1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 124_000],
  ...[256_000, 512_000, 1_000_000, 2_000_000],
];

const FIRST: Draft = {
  target: { kind: 'local' },
  suites: ['needle'],
  lengths: [1_000, 2_000, 4_000],
  ...{ ownLengths: [], samples: 1, ownTexts: false, twice: false, seed: '' },
};

/** It outlives a change of tab. */
export const useDraft = create<Draft>(() => FIRST);

export function changeDraft(changes: Partial<Draft>): void {
  useDraft.setState(changes);
}

type EvaluationPlan = EvaluationView['plan'];

/** All that was asked once. */
export function draftOf({ target, suites, lengths, samples, ownTexts, twice = false, seed }: EvaluationPlan): Draft {
  const ownLengths = lengths.filter((length) => !LENGTHS.includes(length));
  return { target, suites: [...suites], lengths: [...lengths], ownLengths, samples, ownTexts, twice, seed };
}

export function requestOf({ target, suites, lengths, samples, ownTexts, twice, seed }: Draft): EvaluationRequest {
  const chosen = { target, suites, lengths: lengths.toSorted((one, other) => one - other), samples, ownTexts };
  return { ...chosen, ...(twice && { twice }), ...(seed.trim() !== '' && { seed: seed.trim() }) };
}

/** Whether it is said whom to ask: a server by its address, a miner by its hotkey. */
export function namesTarget({ target }: Pick<Draft, 'target'>): boolean {
  if (target.kind === 'axon') return SS58_LOOKS.test(target.hotkey);
  if (target.kind !== 'address') return true;
  return /^https?:\/\/./i.test(target.url) && URL.canParse(target.url) && isBare(target.url);
}

/** Texts that will be read, and tokens of them all. @param variantsOf how many a suite has */
export function sizeOf(
  { suites, lengths, samples }: Pick<Draft, 'suites' | 'lengths' | 'samples'>,
  variantsOf: (suite: string) => number,
): { texts: number; tokens: number } {
  const ofEach = samples * suites.reduce((sum, suite) => sum + variantsOf(suite), 0);
  return { texts: ofEach * lengths.length, tokens: ofEach * lengths.reduce((sum, length) => sum + length, 0) };
}
