import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../../../src-main/base/sha256.ts';
import { atOnce } from '../../../../../src-main/base/steps.ts';
import { DEFAULT_AXON_LIMITS } from '../../../../../src-main/bittensor/axon/axon.ts';
import { BAND_NAMES, BANDS } from '../../../../../src-main/subnets/quasar/code/bands.ts';
import { codeEnvironment } from '../../../../../src-main/subnets/quasar/code/code-environment.ts';
import { drawTask } from '../../../../../src-main/subnets/quasar/code/code-task.ts';
import { TOPICS } from '../../../../../src-main/subnets/quasar/code/topics/topics.ts';
import { benchmarkQuestion } from '../../../../../src-main/subnets/quasar/synapse/benchmark-question.ts';
import { pose } from '../../../../../src-main/validation/challenge.ts';
import type { Ask, Environment } from '../../../../../src-main/validation/environment.ts';
import { SeededRandom } from '../../../../../src-main/validation/seeded-random.ts';
import { fitsAll } from '../../../../../src-preload/contract/request.ts';

/** Programs are judged where there is a sandbox: see code-challenges.test.ts. Here none runs. */
const environment = codeEnvironment({ run: async () => [] }) as Environment;

/** Where one of these changes, a seed stands for something else, and the version of the environment has to change. */
const FROZEN: Record<string, string> = {
  '1 8k-16k': '37809eb3bdb433c55d4e082c1d50ca0cfb27c52c67d72439c366c9147451c6da',
  '1 16k-32k': '5b627e789085c8a74e056e1310f0c42341e6a31c63631c8731a67219c8571813',
  '1 32k-64k': 'a2e72c0fa1cf49d262c959c88ca8db55a85ca074963372495d808f98b86ef597',
  '1 64k-128k': '20628c165ec7c18541d071a069f4353d54bf1112a7cadfd312558c2dbdb5daad',
  '1 128k+': 'eecb6a1542928db8759e39ab38b2d93509717bbbce36d349e14f143d9d7270c5',
  '1 assignments': '1cddffc3db72ef45d0a4fdf97c9041461f0d13074755164e3639c4102024b7e2',
  '1 signatures': '4d28cd6fe08c18ce1ea350b64a73cfe2a6c9d87d2ea94930dad638e20db3054a',
  '1 imports': 'e90016cfc142853ebb1768e9cc07671bdfad0b0e93fb7b2a253ee8ad7c726af3',
  '1 classes': '97ebf9162ab76879f3802ffe6374689d83f9df7a3925df5434cbbf13278c0c5f',
  '1 smells': 'affd5cacf46ac401d2362cb50e78e5ae2871395ee63bd8a004399039ef3f016e',
  '1 flow': 'c37eede9d9c1f8ec1ac6aa008b9a4ffefcf99faf869be64516363b4cd9100450',
};

describe.each(BAND_NAMES)('a code base of %s', (level) => {
  it('is the same for the same seed, for ever', async () => {
    const [one, other] = [await pose(environment, level, 'for ever'), await pose(environment, level, 'for ever')];
    expect(one.id).toBe(FROZEN[`${environment.version} ${level}`]);
    expect(other.prompt).toBe(one.prompt);
  });

  it('has a length within the band, and fits whatever asks it', async () => {
    const [least, most] = [1_000, 1_000_000].map((bound, at) => 1_000 * Number(level.match(/\d+/g)?.[at] ?? bound));
    for (const seed of ['a', 'b', 'c']) {
      const { prompt, ask, id } = await pose(environment, level, seed);
      expect(prompt.length / 4).toBeGreaterThan(least ?? 0);
      expect(prompt.length / 4).toBeLessThan(most ?? 0);
      expect(fitsAll({ input: { messages: [{ role: 'user', content: prompt }] } })).toBe(true);
      const asked = benchmarkQuestion({ id, ...longTextOf(ask) }, 4_096);
      expect(asked).toMatchObject({ task_type: 'synthetic', dataset_name: 'code' });
      expect(Buffer.byteLength(JSON.stringify(asked))).toBeLessThan(DEFAULT_AXON_LIMITS.bodyBytes - 4_096);
    }
  });

  it('has cases of other code bases, of which each has another answer', async () => {
    for (const seed of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const { cases, context, question } = await drawTask(new SeededRandom(seed), level);
      expect(cases).toHaveLength(BANDS[level].cases);
      expect(new Set(cases.map(({ expected }) => JSON.stringify(expected))).size).toBe(cases.length);
      const [shown, ...others] = cases;
      for (const [path, text] of Object.entries(shown?.files ?? {})) expect(context).toContain(`${path} ===\n${text}`);
      for (const { files } of others) {
        for (const [path, text] of Object.entries(files))
          expect(context.includes(path) && context.includes(text)).toBe(false);
      }
      expect(question).toContain(JSON.stringify(shown?.parameters));
    }
  });
});

it('asks something else for every seed, and tells nothing of it', async () => {
  const seeds = Array.from({ length: 30 }, (_, at) => `c0ffee${at}`);
  const posed = await Promise.all(seeds.map((seed) => pose(environment, '8k-16k', seed)));
  expect(new Set(posed.map(({ id }) => id)).size).toBe(30);
  for (const { prompt, id } of posed) expect(`${prompt} ${id}`).not.toContain('c0ffee');
});

describe.each(TOPICS)('$name', (topic) => {
  it.each([33_000, 130_000, 700_000])('makes about %d characters, in steps, with its conventions', (chars) => {
    const random = new SeededRandom(`${topic.name} ${chars}`);
    const project = topic.draw(random);
    const steps = project.make(random, chars);
    let count = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) count++;
    const texts = Object.values(step.value.files);
    const length = texts.join('').length;
    expect(Math.abs(length - chars)).toBeLessThan(chars / 10);
    expect(count).toBeGreaterThan(chars / 10_000); // others get a turn that often
    const said = texts.join('\n').replaceAll(/\s+/g, ' ');
    for (const { now, before } of project.notes) {
      expect(said).toContain(`Convention of this project: ${now}`);
      expect(said).toContain(`No longer a convention, and kept for the record: ${before}`);
      expect(now).not.toBe(before);
    }
  });

  it('makes the same code base, question and answer, for ever', () => {
    const random = new SeededRandom(`${topic.name} for ever`);
    const project = topic.draw(random);
    const { files, ask } = atOnce(project.make(random, 33_000));
    const all = { notes: project.notes, files, asked: [ask(random), ask(random), ask(random)] };
    expect(sha256(JSON.stringify(all)).toString('hex')).toBe(FROZEN[`${environment.version} ${topic.name}`]);
  });

  it('has other parameters, and other conventions, from seed to seed', () => {
    const drawn = Array.from({ length: 20 }, (_, seed) => {
      const random = new SeededRandom(`${seed}`);
      const project = topic.draw(random);
      const { parameters, expected } = atOnce(project.make(random, 33_000)).ask(random);
      return { notes: JSON.stringify(project.notes), parameters: JSON.stringify(parameters), expected };
    });
    expect(new Set(drawn.map(({ notes }) => notes)).size).toBeGreaterThan(2);
    expect(new Set(drawn.map(({ parameters }) => parameters)).size).toBe(20);
  });
});

function longTextOf(ask: Ask) {
  if (ask.kind !== 'longText') throw new Error(ask.kind);
  return ask.text;
}
