import { z } from 'zod';
import { POLICY_RULES } from '../../../src-preload/contract/activity.ts';
import type { NodeSummary } from '../../../src-preload/contract/fleet.ts';
import { MAX_MODEL_NAME_CHARS } from '../../../src-preload/contract/limits.ts';
import { ROLES } from '../../../src-preload/contract/node.ts';
import { NODE_STANDINGS } from '../../../src-preload/contract/standing.ts';
import { MAX_FACT_CHARS, type SummaryWords } from './messages.ts';

const text = (most: number) => z.string().max(most).optional().catch(undefined);
const number = (least: number, most: number) => z.number().min(least).max(most).optional().catch(undefined);
const percent = number(0, 100);

/** The facts that this version knows. One that it understands otherwise is left out. */
const factsSchema = z.object({
  detail: text(MAX_FACT_CHARS),
  model: text(MAX_MODEL_NAME_CHARS),
  tokensPerSecond: number(0, 1e6),
  cpu: percent,
  memory: percent,
  gpu: percent,
  vram: percent,
  card: text(100),
  cardTemperature: number(-50, 200),
});

/** How a node is, as it is told to the others of its owner. */
export function toWords({ detail, model, tokensPerSecond, use, gpu, ...rest }: NodeSummary): SummaryWords {
  const known: z.input<typeof factsSchema> = {
    ...{ detail, model, tokensPerSecond, ...use },
    ...{ card: gpu?.name, cardTemperature: gpu?.temperature },
  };
  const facts = Object.entries(known).flatMap(([name, fact]) => (fact === undefined ? [] : [[name, fact] as const]));
  return { ...rest, facts: Object.fromEntries(facts) };
}

/** The same as this version understands it: a word that it does not know is `other`. */
export function fromWords({ facts, role, standing, rule, ...rest }: SummaryWords): NodeSummary {
  const { detail, model, tokensPerSecond, card, cardTemperature, cpu, memory, gpu, vram } = factsSchema.parse(facts);
  return {
    ...rest,
    role: known(ROLES, role),
    standing: known(NODE_STANDINGS, standing),
    rule: rule === undefined ? undefined : known(POLICY_RULES, rule),
    ...{ detail, model, tokensPerSecond },
    use: cpu === undefined || memory === undefined ? undefined : { cpu, memory, gpu, vram },
    gpu: card === undefined ? undefined : { name: card, temperature: cardTemperature },
  };
}

function known<Word extends string>(words: readonly Word[], said: string): Word | 'other' {
  return words.find((word) => word === said) ?? 'other';
}
