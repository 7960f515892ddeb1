import type { ServerResponse } from 'node:http';
import { sha256 } from '../../src-main/base/sha256.ts';
import { drawsOf } from '../../src-main/subnets/quasar/evaluation/plan.ts';
import { needle, needles, scaling } from '../../src-main/subnets/quasar/tasks/made/needles.ts';
import { ChatServer } from './chat-server.ts';

export interface PlantedSkill {
  /** How deep it reads, as a share of the text: what lies below is lost on it. Default 1. */
  deepest?: number;
  /** Of what it has found, so much it tells otherwise, 0–1. Default 0. */
  lies?: number;
  /** Called before each answer; what it returns is waited for. */
  before?: (prompt: string) => Promise<void> | undefined;
}

/** What came of a question: what it found, and whether it said so. */
export interface Planted {
  prompt: string;
  depth: number;
  outcome: 'told' | 'lied' | 'missed';
}

const ASKED = /\n\nThat was the text\. (.*) Answer with (.*) and nothing else\.$/;
const TASKS = [needle, needles, scaling];
/** About as many words as the needles need: what is asked of them is the same in texts of any length. */
const WORDS = 400;

/**
 * A server that speaks the OpenAI API, whose model knows every needle down to a depth and lies at a known rate: which needles there are it knows by the plan, and where
 * they lie it reads in the text that it is asked about.
 */
export class PlantedServer extends ChatServer {
  readonly given: Planted[] = [];

  constructor(plan: { seed: string; samples: number }, { deepest = 1, lies = 0, before }: PlantedSkill = {}) {
    const values = valuesOf(plan);
    super('planted', async (prompt: string, _response: ServerResponse) => {
      await before?.(prompt);
      const [, question = ''] = ASKED.exec(prompt) ?? [];
      const value = values.get(question) ?? '';
      const text = prompt.slice(0, ASKED.exec(prompt)?.index);
      const at = text.indexOf(value);
      const depth = at / text.length;
      const outcome = value === '' || at < 0 || depth > deepest ? 'missed' : isLie(prompt, lies) ? 'lied' : 'told';
      this.given.push({ prompt, depth, outcome });
      return { told: value, lied: 'Zzyzx 111111', missed: 'Unsaid.' }[outcome];
    });
  }
}

/** By their questions: none is asked twice, as all of them are of something that is made anew. */
function valuesOf({ seed, samples }: { seed: string; samples: number }): Map<string, string> {
  const values = new Map<string, string>();
  for (const { name: suite, version, variants, make } of TASKS) {
    for (const variant of variants) {
      for (let sample = 0; sample < samples; sample++) {
        const draws = drawsOf({ seed }, { suite, variant, sample, length: 0 }, version);
        for (const { prompt, expected } of make(draws, variant, WORDS))
          values.set(ASKED.exec(prompt)?.[1] ?? '', expected[0] ?? '');
      }
    }
  }
  return values;
}

/** The same question gets the same answer. */
const isLie = (prompt: string, share: number) => sha256(prompt).readUInt32BE(0) < share * 2 ** 32;
