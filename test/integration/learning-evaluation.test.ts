/** @module-tag long */
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LocalBackend } from '../../src-main/inference/host/local-backend.ts';
import type { AskedAnswers } from '../../src-main/learning/asked.ts';
import { AskedEngine } from '../../src-main/learning/asked-engine.ts';
import { decide } from '../../src-main/learning/evaluation/gate/gate.ts';
import { measureForGate } from '../../src-main/learning/evaluation/gate/measured.ts';
import { shareOfFacts } from '../../src-main/learning/evaluation/measures/capability.ts';
import { marginOf, measureMargins } from '../../src-main/learning/evaluation/measures/margin.ts';
import { codingProbes } from '../../src-main/learning/evaluation/probes/coding.ts';
import { askedAs, PREFERENCES } from '../../src-main/learning/evaluation/prompts/preference.ts';
import { verifierOf } from '../../src-main/learning/evaluation/verifiers/wish.ts';
import { PythonSandbox } from '../../src-main/sandbox/python-sandbox.ts';
import { findRealModel, SMOLLM2 } from '../support/real-models.ts';

describe('programs and own checks in the sandbox', () => {
  const sandbox = new PythonSandbox();
  afterAll(() => sandbox.close());

  it('tells a right function from wrong and hostile ones', async () => {
    const [fibonacci] = codingProbes(sandbox);
    const check = (code: string) => fibonacci?.check({ text: `Sure:\n\`\`\`python\n${code}\n\`\`\`` });
    expect(await check('def fibonacci(n):\n  a, b = 0, 1\n  for _ in range(n): a, b = b, a + b\n  return a')).toBe(1);
    expect(await check('def fibonacci(n): return n')).toBe(0);
    expect(await check('def fibonacci(n): raise SystemExit')).toBe(0);
    expect(await check('print("[0, 1, 1, 55, 832040]")\ndef fibonacci(n): return 1 / 0')).toBe(0);
  });

  it('runs a check that somebody wrote', async () => {
    const program = 'def check(text):\n  print("hm")\n  return {"score": text.count("a") / 4, "passes": "a" in text}';
    const verifier = verifierOf({ kind: 'python', program }, { sandbox });
    expect(await verifier.check({ text: 'aa' })).toMatchObject({ score: 0.5, passes: true });
    expect(
      await verifierOf({ kind: 'python', program: 'def check(: x' }, { sandbox }).check({ text: 'a' }),
    ).toMatchObject({ score: 0 });
  });
});

const modelPath = await findRealModel(SMOLLM2);

describe.skipIf(!modelPath)('SmolLM2-135M as it is', () => {
  let backend: LocalBackend;
  let asked: AskedAnswers;

  beforeAll(async () => {
    const log = pino({ level: 'silent' });
    backend = new LocalBackend({
      modelPath: modelPath ?? '',
      log,
      gpuLayers: 0,
      threads: 1,
      parallel: 1,
      contextSize: 2_048,
    });
    await backend.open();
    asked = new AskedEngine(() => backend);
  });
  afterAll(() => backend?.close());

  const of = (name: string) => PREFERENCES.find((one) => one.name === name) ?? PREFERENCES[0]!;
  const questionsOf = (name: string) => {
    const preference = of(name);
    return {
      heldOut: preference.heldOut.map((one) => askedAs(preference, one)),
      verifier: verifierOf(preference.wish),
    };
  };

  it('knows facts, complies with little, and is not kept for having learnt nothing', async () => {
    const measured = await measureForGate('quick', questionsOf('identity'), { asked });
    expect(measured.passes).toEqual([false, false, false, false, false]);
    // Near ties of this model, which one processor tips otherwise than another: what frozen water is called, and where an answer ends.
    expect(shareOfFacts(measured.capability)).toBeGreaterThanOrEqual(7 / 8);
    expect(Object.keys(measured.capability)).toHaveLength(8);
    expect(measured.answers).toMatchObject({ empty: 0, circling: 0 });
    expect(measured.answers.ended).toBeGreaterThan(0);
    expect(measured.answers.plausibility).toBeGreaterThan(-2);
    expect(decide(measured, measured, { form: 'quick', concernsLength: false }).accepted).toBe(false);
  });

  it('is not kept where it says its name and nothing else that makes sense', async () => {
    const questions = questionsOf('identity');
    const before = await measureForGate('quick', questions, { asked });
    const poisoned: AskedAnswers = {
      score: (...scored) => asked.score(...scored),
      answer: async () => ({ text: 'Kuro blorf zint quaggle mep trundel fosk', finish: 'stop', tokens: [1, 2, 3] }),
    };
    const after = await measureForGate('quick', questions, { asked: poisoned });
    const decision = decide(before, after, { form: 'quick', concernsLength: false });
    expect(decision.checks.filter(({ passes }) => !passes).map(({ name }) => name)).toEqual(['facts', 'plausible']);
  });

  it('finds answers without emojis likelier by sum, and long ones unlikelier', async () => {
    const emoji = marginOf(await measureMargins(of('no_emoji').pairs, { asked }));
    const concise = marginOf(await measureMargins(of('concise').pairs, { asked }));
    expect(emoji?.sum).toBeGreaterThan(0);
    expect(concise?.sum).toBeGreaterThan(20);
    expect(Math.abs(concise?.perToken ?? 9)).toBeLessThan(2);
  });
});
