import { setTimeout as sleep } from 'node:timers/promises';
import { ignoring } from '../../../../src-main/base/swallowed.ts';
import type { OptimiserDetails, OptimiserRun } from '../../../../src-preload/contract/optimiser.ts';
import { NOW } from '../sample-data.ts';
import type { Script, ScriptedData, ScriptedOs } from './answers.ts';

const LOOK_MS = 20;

/** The contract's `optimiser` out of a script. */
export function script(os: ScriptedOs['optimiser'], answers: ScriptedData): Script<'optimiser'> {
  const told = () => answers.optimiser;
  const found = (id: string) => {
    const one = told().all.find((run) => run.id === id);
    if (!one) throw new Error(`There is no search ${id}.`);
    return one;
  };
  const set = (id: string, what: string, changes: Partial<OptimiserDetails>) => {
    told().done.push(`${what} ${id}`);
    return viewOf(Object.assign(found(id), changes));
  };
  return {
    start: os.start.handler(({ input: { source, ...plan } }) => {
      told().started.push({ ...plan, ...(source !== undefined && { source }) });
      const begun: OptimiserDetails = {
        ...{ id: 'aaaaaaaaaaaaaaaa', createdAt: NOW, endedAt: null, state: 'running', endedBy: null, plan },
        ...{ model: null, isOwn: source !== undefined, iterations: 0, attempts: 0, best: null, modelTokens: 0 },
        ...{ error: null, list: [] },
      };
      told().all.unshift(begun);
      return viewOf(begun);
    }),
    resume: os.resume.handler(({ input: { id } }) => set(id, 'resume', { state: 'running', error: null })),
    stop: os.stop.handler(({ input: { id } }) => set(id, 'stop', { state: 'stopped' })),
    remove: os.remove.handler(({ input: { id } }) => {
      told().done.push(`remove ${id}`);
      told().all = told().all.filter((one) => one.id !== id);
    }),
    list: os.list.handler(({ input: { before = Number.POSITIVE_INFINITY, limit } }) =>
      told()
        .all.filter(({ createdAt }) => createdAt < before)
        .slice(0, limit)
        .map(viewOf),
    ),
    watch: os.watch.handler(async function* ({ input: { id }, signal }) {
      let last = '';
      while (!signal?.aborted) {
        const now = found(id);
        const text = JSON.stringify(now);
        if (text !== last) yield now;
        last = text;
        if (now.state !== 'running') return;
        await sleep(LOOK_MS, undefined, { signal }).catch(ignoring('whoever watched has gone'));
      }
    }),
    source: os.source.handler(() => 'export function step(): void {}\n'),
    best: os.best.handler(({ input: { id } }) => {
      const hasBest = found(id).best !== null;
      return { start: 'a\n', source: hasBest ? 'b\n' : null, diff: hasBest ? told().diff : [] };
    }),
    module: os.module.handler(() => ({ number: 0, source: 'a\n', wasm: 'AGFzbQEAAAA=' })),
  };
}

const viewOf = ({ list: _, ...view }: OptimiserDetails): OptimiserRun => view;
