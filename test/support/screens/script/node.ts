import { setTimeout as sleep } from 'node:timers/promises';
import { ORPCError } from '@orpc/server';
import { ignoring } from '../../../../src-main/base/swallowed.ts';
import { say, told } from '../../../../src-preload/contract/saying.ts';
import * as data from '../sample-data.ts';
import type { Script, ScriptedData, ScriptedOs } from './answers.ts';
import { every } from './answers.ts';

/** The contract's `node` out of a script: status, samples, hardware and mining. */
export function script(os: ScriptedOs['node'], answers: ScriptedData): Script<'node'> {
  const second = () => 1_000;
  return {
    status: os.status.handler(() => answers.status),
    watch: os.watch.handler(({ signal }) => every(second, () => answers.status, signal)),
    watchSamples: os.watchSamples.handler(async function* ({ signal }) {
      yield answers.samples;
      let at = answers.samples.at(-1)?.at ?? data.NOW;
      for (let index = 0; !signal?.aborted; index++) {
        await sleep(1_000 / answers.samplesPerSecond, undefined, { signal }).catch(
          ignoring('whoever watched has gone'),
        );
        const next = answers.samples[index % answers.samples.length];
        at += 1_000;
        if (next) yield [{ ...next, at }];
      }
    }),
    history: os.history.handler(({ input }) => data.history(input.range)),
    cards: os.cards.handler(() => answers.cards),
    energy: os.energy.handler(() => answers.energy),
    hardware: os.hardware.handler(() => answers.hardware),
    doctor: os.doctor.handler(() => ({
      healthy: true,
      checks: [
        { name: 'gpu', status: 'ok' as const, found: 'NVIDIA GeForce RTX 3060, 11.2 GB free.' },
        {
          name: 'clock',
          status: 'warn' as const,
          ...told({
            found: say('doctor.clock.ahead', { seconds: 7.25, whose: say('doctor.clock.peers', { count: 12 }) }),
            advice: say('doctor.clock.automatic'),
          }),
        },
      ],
    })),
    entry: os.entry.handler(() => ({
      url: 'http://127.0.0.1:7070/enter?code=AAAAAAAAAAAAAAAAAAAAAA',
      expiresAt: data.NOW + 600_000,
    })),
    startMining: os.startMining.handler(async () => {
      await sleep(600);
      const { error } = answers.status.mining ?? {};
      if (error) throw new ORPCError(error.code, { message: error.message, data: error });
      answers.status = { ...answers.status, mining: { ...answers.status.mining, state: 'running' } };
      return { state: 'running' as const };
    }),
    stopMining: os.stopMining.handler(() => {
      answers.status = { ...answers.status, mining: { ...answers.status.mining, state: 'stopped' } };
      return { state: 'stopped' as const };
    }),
    restart: os.restart.handler(() => undefined),
    stop: os.stop.handler(() => undefined),
    diagnostics: os.diagnostics.handler(() => ({ fileName: 'quarry-diagnostics.json', text: '{}' })),
    watchLog: os.watchLog.handler(async function* () {
      yield ['{"level":30,"time":1795262400000,"msg":"server listens"}'];
      yield ['{"level":40,"time":1795262401000,"msg":"peer banned"}'];
    }),
  };
}
