import { expect, it, onTestFinished } from 'vitest';
import { KnownEnvironments } from '../../../../src-main/app/validator/known-environments.ts';
import { chainWeights, weightsInForce } from '../../../../src-main/app/validator/weights-in-force.ts';
import { identityFromSeed, verify } from '../../../../src-main/mesh/transport/identity.ts';
import { ResultsDb } from '../../../../src-main/store/results/results-db.ts';
import { soundsEnvironment } from '../../../../src-main/subnets/omega/clips/checking/sounds-environment.ts';
import { videosEnvironment } from '../../../../src-main/subnets/omega/clips/checking/videos-environment.ts';
import { pose } from '../../../../src-main/validation/challenge.ts';
import type { Environment } from '../../../../src-main/validation/environment.ts';
import { GenuineResults } from '../../../../src-main/validation/genuine-results.ts';
import { judgedOf } from '../../../../src-main/validation/judged.ts';
import { replay } from '../../../../src-main/validation/replay.ts';
import { signResult } from '../../../../src-main/validation/result.ts';
import { validatorSettings } from '../../../../src-main/validation/validator-settings.ts';
import { genuine } from '../../../support/genuine-contract.ts';
import { honestClip, videosText } from '../../../support/handed-in.ts';
import { clipChecking, random } from '../../../support/judged-clips.ts';
import { NO_REFERENCE } from '../../../support/no-reference.ts';
import { temporaryFolder } from '../../../support/quarry-process.ts';

const own = identityFromSeed(Buffer.alloc(32, 7));
const noSandbox = { run: () => Promise.reject(new Error('nothing is run here')) };
const NEURONS = ['owner', 'honest', 'liar', 'listener'].map((hotkey, uid) => ({ uid, hotkey, registeredAt: uid }));

/** A validator of clips, with the results that it has. */
async function validator() {
  const folder = await temporaryFolder();
  const results = new ResultsDb({ dataDir: folder.path });
  await results.open();
  onTestFinished(async () => {
    await results.close();
    await folder.remove();
  });
  const { ports } = await clipChecking();
  const [videos, sounds] = [videosEnvironment(ports) as Environment, soundsEnvironment(ports) as Environment];
  const settings = validatorSettings.shape.validator.parse({
    ...{ environments: ['omega-videos', 'omega-sounds'], preset: 'omega', netuid: 24 },
  });
  const known = new KnownEnvironments(noSandbox, async () => results, NO_REFERENCE, [videos, sounds]);
  const needs = { results, known, settings: () => settings, own: own.id };
  return { needs, results, videos, sounds };
}

async function did(results: ResultsDb, miner: string, { name, version }: Environment, scores: readonly number[]) {
  const about = { miner, environment: name, environmentVersion: version, level: 'usual' };
  const all = scores.map((score, at) =>
    genuine(at, { ...about, challengeId: `${name} ${at}`, score, createdAt: Date.now() - 60_000 }),
  );
  await results.addAll(all);
}

const times = (count: number, score: number) => Array.from({ length: count }, () => score);

it('scores below nothing go from results to weights and their words as they are', async () => {
  const { needs, results, videos, sounds } = await validator();
  await did(results, 'honest', videos, times(40, 0.4));
  await did(results, 'liar', videos, [...times(36, 0.5), ...times(4, -5)]);
  await did(results, 'listener', sounds, times(40, 0.6));
  const { miners } = await weightsInForce({ ...needs, subnet: { lately: async () => () => undefined } });
  const told = new Map(miners.map((one) => [one.miner, one]));
  expect(Object.fromEntries(miners.map(({ miner, weight }) => [miner, Number(weight.toFixed(6))]))).toEqual({
    ...{ honest: 0.7, listener: 0.3, liar: 0 },
  });
  const liar = told.get('liar')!;
  expect(liar.samples[0]).toMatchObject({ mean: expect.closeTo(-0.05, 9), count: 40 });
  expect(liar.samples[0]!.low).toBeLessThan(-0.05);
  expect(liar.reasons[0]?.text).toMatch(/shown to lie too often/);
  expect(told.get('honest')?.reasons[0]?.text).toMatch(/counts 70 % of all, and of its means this one has 100 %/);
  const committed = async () => ({ neurons: NEURONS as never, commitments: new Map() });
  const chain = await chainWeights({ ...needs, committed, genuine: new GenuineResults(verify) }, 24);
  expect([...chain.shares].filter(([, share]) => share > 0)).toEqual([
    ['honest', expect.closeTo(0.7, 9)],
    ['listener', expect.closeTo(0.3, 9)],
  ]);
});

it('an answer is signed with what is said of its clips, and told as cut off when it is looked at again', async () => {
  const { videos } = await validator();
  const challenge = await pose(videos, 'usual', 'ab'.repeat(32));
  if (challenge.ask.kind !== 'clips') throw new Error(challenge.ask.kind);
  const { topic } = challenge.ask.wanted;
  const clips = Array.from({ length: 8 }, (_, at) => honestClip(`${topic}:${at}`, { heard: random(`${at}`) }));
  const answer = videosText(clips);
  const { score, keeps, reason } = await challenge.judge(answer, { party: 'miner' });
  const { environment, version: environmentVersion, level, seed, id: challengeId } = challenge;
  const who = { miner: 'm', model: '', revision: '', uid: null, block: null };
  const outcome = { answer, score, keeps, reason, error: null, attempts: 1, latencyMs: 5 };
  const result = signResult(
    judgedOf({ environment, environmentVersion, level, seed, challengeId }, who, outcome, 1),
    own,
  );
  expect(result.payload.length).toBeLessThan(25_000);
  expect(result.payload).toContain(`${topic}:7`);
  const again = await replay(result, new Map([[videos.name, videos]]), verify);
  expect(again).toMatchObject({ verdict: 'cut', prompt: challenge.prompt, answerLength: answer.length });
});
