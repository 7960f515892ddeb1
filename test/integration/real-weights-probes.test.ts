/** @module-tag long */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalBackend } from '../../src-main/inference/host/local-backend.ts';
import type { AuditSums } from '../../src-main/inference/verified/audit.ts';
import { honestProbes } from '../../src-main/inference/verified/honest-probes.ts';
import { type AuditThresholds, largestOf, thresholdsOfWhole } from '../../src-main/inference/verified/thresholds.ts';
import { probeText } from '../../src-main/subnets/quasar/verification/answer.ts';
import { answerProbe } from '../../src-main/subnets/quasar/verification/answering.ts';
import { drawProbe } from '../../src-main/subnets/quasar/verification/probe.ts';
import { verifyProbe } from '../../src-main/subnets/quasar/verification/verify.ts';
import { SeededRandom } from '../../src-main/validation/seeded-random.ts';
import { writeDequantised } from '../support/dequantised-model.ts';
import { tinyEngine } from '../support/engine.ts';
import { writePrunedModel } from '../support/pruned-model.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { findRealModel, SMOLLM2 } from '../support/real-models.ts';

/* Whether probes tell models of real weights apart; docs/validator.md has the figures of many more. */

const q4 = await findRealModel(SMOLLM2);
const LAYERS = [10, 15, 20];
const EACH = { top: 0.25, chosen: 0.09, mismatches: 0.11 };
/** What honest probes of this file come to where they are read in pieces of another size than they were written in; where the size is the same, nothing differs at all. */
const OTHER_PIECES: AuditThresholds = { 32: EACH, 128: EACH, 512: EACH, 2048: EACH };

describe.skipIf(!q4)('probes of real weights', () => {
  const engines: LocalBackend[] = [];
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let [own16, own4, cut16, cut4]: LocalBackend[] = [];
  let thresholds: AuditThresholds;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const [f16, pruned16, pruned4] = ['F16', 'pruned-F16', 'pruned-Q4'].map((name) =>
      join(folder.path, `${name}.gguf`),
    );
    await writeDequantised(q4!, f16!, 'F16');
    await writePrunedModel(f16!, pruned16!, LAYERS);
    await writePrunedModel(q4!, pruned4!, LAYERS);
    engines.push(...[f16!, q4!, pruned16!, pruned4!].map((modelPath) => tinyEngine({ modelPath, parallel: 1 })));
    for (const engine of engines) await engine.open();
    [own16, own4, cut16, cut4] = engines;
    const probes: AuditSums[][] = [];
    const probe = own4!.probe.bind(own4);
    for await (const audits of honestProbes(probe, { vocabulary: 49_152, probes: 6, length: 64 })) probes.push(audits);
    thresholds = largestOf([thresholdsOfWhole(probes), OTHER_PIECES]);
  });
  afterAll(async () => {
    for (const engine of engines) await engine.close();
    await folder?.remove();
  });

  async function found(reference: LocalBackend, miner: LocalBackend, seed: number) {
    const probe = drawProbe(new SeededRandom(`${seed}`), '64', 49_152);
    const { sha256 = '', unquantised } = reference.status().model ?? {};
    const answer = { ...(await answerProbe(miner, probe)), model_sha256: sha256 };
    const own = { sha256, vocabulary: 49_152, thresholds: unquantised ? undefined : thresholds };
    return verifyProbe(probeText(answer), probe, { ...own, probe: reference.probe.bind(reference) });
  }

  it.each([1, 2, 3])('F16 passes as F16, and Q4_1 of the same weights does not: probe %s', async (seed) => {
    expect(await found(own16!, own16!, seed)).toMatchObject({ reason: 'verified' });
    expect((await found(own16!, own4!, seed)).reason).toMatch(/threshold_failed|prefix_mismatch/);
  });

  it.each([1, 2, 3])('Q4_1 passes as the file that it is: probe %s', async (seed) => {
    expect(await found(own4!, own4!, seed)).toMatchObject({ reason: 'verified' });
  });

  it('three layers off are found out, in either form', async () => {
    expect((await found(own16!, cut16!, 1)).reason).toMatch(/threshold_failed|prefix_mismatch/);
    expect(await found(own4!, cut4!, 1)).toMatchObject({ reason: 'audit_failed' });
  });
});
