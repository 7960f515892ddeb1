import { setTimeout as sleep } from 'node:timers/promises';
import { ORPCError } from '@orpc/server';
import { shareInterval } from '../../../../src-main/validation/interval.ts';
import { say, told } from '../../../../src-preload/contract/saying.ts';
import type { PracticeTally } from '../../../../src-preload/contract/validator.ts';
import type { ResultsRequest, ResultView } from '../../../../src-preload/contract/validator-results.ts';
import { hotkeysOf, sampleEnvironments, sampleWeights } from '../sample-validator.ts';
import { every, type Script, type ScriptedData, type ScriptedOs } from './answers.ts';

/** The contract's `validator` out of a script. */
export function script(os: ScriptedOs['validator'], answers: ScriptedData): Script<'validator'> {
  const found = (id: number): ResultView => {
    const result = answers.validator.results.find((one) => one.id === id);
    if (!result) throw new ORPCError('BAD_REQUEST');
    return result;
  };
  const set = (status: 'running' | 'stopped') => {
    const since = status === 'running' ? Date.now() : null;
    answers.validator.run = { ...answers.validator.run, status, since, inFlight: status === 'running' ? 2 : 0 };
  };
  return {
    environments: os.environments.handler(() => sampleEnvironments),
    practise: os.practise.handler(async function* ({ input: { samples, environments = ['sat'], level = 'usual' } }) {
      yield { type: 'begins' as const, seed: 'seed', challenges: samples * environments.length };
      for (let done = 1; done <= samples * environments.length; done++) {
        await sleep(answers.validator.practiceMs);
        const environment = environments[(done - 1) % environments.length] ?? 'sat';
        const about = {
          id: `challenge ${done}`,
          prompt: 'What is 6 times 7?',
          answer: '42',
          score: done % 2,
          ms: 1_200,
          model: 'qwen3-4b',
        };
        const reason = say(done % 2 === 1 ? 'affine.elr.right' : 'affine.elr.wrong');
        const tallies = environments.map((name, at) =>
          tally(name, level, Math.floor((done + environments.length - 1 - at) / environments.length)),
        );
        yield { type: 'judged' as const, environment, level, ...about, ...told({ reason }), done, tallies };
      }
    }),
    stats: os.stats.handler(() =>
      answers.validator.means.map(({ environment, miner, mean }) => ({
        environment,
        version: '1',
        level: 'usual',
        miner,
        count: 4,
        mean,
        low: mean,
        high: mean,
      })),
    ),
    weigh: os.weigh.handler(({ input }) => sampleWeights(answers.validator, input)),
    ofOthers: os.ofOthers.handler(() => ({ results: 0, validators: 0 })),
    results: os.results.handler(({ input }) => {
      const chosen = answers.validator.results.filter((one) => isChosen(one, input));
      const results = chosen.slice(0, input.limit);
      const last = results.at(-1);
      return { results, next: last && chosen.length > results.length ? { at: last.at, id: last.id } : null };
    }),
    counts: os.counts.handler(() => ({
      asked: answers.validator.results.length,
      answered: answers.validator.results.filter(({ success }) => success).length,
    })),
    result: os.result.handler(({ input }) => answers.validator.opened(found(input.id))),
    replay: os.replay.handler(({ input }) => answers.validator.replayed(found(input.id))),
    start: os.start.handler(() => set('running')),
    stop: os.stop.handler(() => set('stopped')),
    run: os.run.handler(({ signal }) =>
      every(
        () => 200,
        () => answers.validator.run,
        signal,
      ),
    ),
    miners: os.miners.handler(() => answers.validator.endpoints),
    addMiner: os.addMiner.handler(({ input: { apiKey, hotkey = null, ...endpoint } }) => {
      const before = answers.validator.endpoints.filter(({ name }) => name !== endpoint.name);
      answers.validator.endpoints = [...before, { ...endpoint, hasKey: (apiKey ?? '') !== '', hotkey }];
    }),
    checkMiner: os.checkMiner.handler(({ input: { name } }) => {
      const endpoint = answers.validator.endpoints.find((one) => one.name === name);
      return { model: endpoint?.model || 'its first', ms: 1_200 };
    }),
    hotkeys: os.hotkeys.handler(() => [...hotkeysOf(answers.validator.endpoints), ...answers.validator.hotkeys]),
    setHotkey: os.setHotkey.handler(({ input: { name: miner, hotkey } }) => {
      const others = answers.validator.hotkeys.filter((one) => one.miner !== miner);
      answers.validator.hotkeys = hotkey === null ? others : [...others, { miner, hotkey }];
    }),
    removeMiner: os.removeMiner.handler(({ input }) => {
      answers.validator.endpoints = answers.validator.endpoints.filter(({ name }) => name !== input.name);
    }),
    setWeights: os.setWeights.handler(() => answers.validator.run.weights),
    datasets: os.datasets.handler(() => []),
    importDataset: os.importDataset.handler(async function* () {}),
    removeDataset: os.removeDataset.handler(() => {}),
    verify: os.verify.handler(async function* () {}),
    export: os.export.handler(async function* () {}),
  };
}

function isChosen(
  { id, miner, environment, success, score }: ResultView,
  { before, ...wanted }: ResultsRequest,
): boolean {
  if (before && id >= before.id) return false;
  if (wanted.miner !== undefined && miner !== wanted.miner) return false;
  if (wanted.environment !== undefined && environment !== wanted.environment) return false;
  return wanted.outcome === undefined || wanted.outcome === (success ? (score === 1 ? 'right' : 'wrong') : 'silent');
}

function tally(environment: string, level: string, asked: number): PracticeTally {
  const score = Math.ceil(asked / 2);
  return { environment, level, asked, score, ...shareInterval(score, asked), medianMs: 1_200 };
}
