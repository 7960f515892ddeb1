import type { Probe } from '../probes/probe.ts';
import { answerTo, type Measuring, mean } from './answers.ts';

/** How much of each probe is right, by its id. */
export type Capability = Record<string, number>;

export async function measureCapability(probes: readonly Probe[], measuring: Measuring): Promise<Capability> {
  const scores: Capability = {};
  for (const { id, messages, maxTokens, check } of probes) {
    const answer = await answerTo(messages, { maxTokens }, measuring);
    scores[id] = await check(answer, measuring.signal);
  }
  return scores;
}

/** Of the probes of some kind, how much is right, 0–1. @param kind default: all */
export function shareRight(capability: Capability, kind = ''): number {
  return mean(ofKind(capability, kind).map(([, score]) => score));
}

/** How many of the short facts are right, 0–1. */
export function shareOfFacts(capability: Capability): number {
  return shareRight(capability, 'fact: ');
}

function ofKind(capability: Capability, kind: string): [string, number][] {
  return Object.entries(capability).filter(([id]) => id.startsWith(kind));
}

/** B6's `general`: half of it is coding, the other half instructions. */
export function generalScore(capability: Capability): number {
  return 0.5 * shareRight(capability, 'coding: ') + 0.5 * shareRight(capability, 'instruction: ');
}

/** How much of it is left; 1 where there was nothing to lose (B6). */
export function capabilityRatio(before: number, after: number): number {
  return before === 0 ? 1 : after / before;
}
