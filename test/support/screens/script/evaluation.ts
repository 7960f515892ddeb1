import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ignoring } from '../../../../src-main/base/swallowed.ts';
import type { EvaluationDetails, EvaluationView } from '../../../../src-preload/contract/evaluation.ts';
import { NOW } from '../sample-data.ts';
import { answersOf } from '../sample-evaluation.ts';
import type { Script, ScriptedData, ScriptedOs } from './answers.ts';

const LOOK_MS = 20;

/** The contract's `evaluation` out of a script. */
export function script(os: ScriptedOs['evaluation'], answers: ScriptedData): Script<'evaluation'> {
  const told = () => answers.evaluation;
  const found = (id: string) => {
    const one = told().all.find((evaluation) => evaluation.id === id);
    if (!one) throw new Error(`There is no evaluation ${id}.`);
    return one;
  };
  const set = (id: string, what: string, changes: Partial<EvaluationDetails>) => {
    told().done.push(`${what} ${id}`);
    return viewOf(Object.assign(found(id), changes));
  };
  return {
    suites: os.suites.handler(() => told().suites),
    start: os.start.handler(({ input }) => {
      told().started.push(input);
      const begun: EvaluationDetails = {
        ...{
          id: 'aaaaaaaaaaaaaaaa',
          createdAt: NOW,
          endedAt: null,
          state: 'running',
          plan: { seed: 'drawn', ...input },
        },
        ...{ model: null, sha256: null, texts: 90, done: 0, seconds: 0, secondsLeft: null, error: null, remark: null },
        cells: [],
      };
      told().all.unshift(begun);
      return viewOf(begun);
    }),
    resume: os.resume.handler(({ input: { id } }) => set(id, 'resume', { state: 'running', error: null })),
    pause: os.pause.handler(({ input: { id } }) => set(id, 'pause', { state: 'paused', secondsLeft: null })),
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
    answers: os.answers.handler(({ input: { id, limit, after, of = {} } }) => {
      const cells = found(id).cells.filter(
        ({ suite, variant, length, band }) =>
          (of.suite ?? suite) === suite &&
          (of.variants ?? [variant]).includes(variant) &&
          (of.length ?? length) === length &&
          (of.band === undefined || band === null || of.band === band),
      );
      const all = cells.flatMap((cell, at) => answersOf(cell, 100 * at));
      return all.filter(({ text }) => text > (after?.text ?? -1)).slice(0, limit);
    }),
    scores: os.scores.handler(() => told().scores),
    question: os.question.handler(() => ({
      asked:
        'That was the text. What is the registration number of the barge Oswin? Answer with the number, in digits and nothing else.',
      expected: ['482913'],
    })),
    fit: os.fit.handler(({ input }) => told().fit(input)),
    files: os.files.handler(() => told().files),
    fetch: os.fetch.handler(async function* ({ input, signal }) {
      told().fetched.push(input);
      yield* told().fetch(input);
      if (told().fetchGoesOn && signal && !signal.aborted) await once(signal, 'abort');
      signal?.throwIfAborted();
    }),
  };
}

const viewOf = ({ cells: _, ...view }: EvaluationDetails): EvaluationView => view;
