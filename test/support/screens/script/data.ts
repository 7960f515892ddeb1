import type { DataState } from '../../../../src-preload/contract/data.ts';
import type { MeasuredModel } from '../../../../src-preload/contract/data-calibration.ts';
import { CLIP_PATH, POSTER_NAME } from '../../../../src-preload/contract/data-limits.ts';
import { countJobs } from '../sample-clips.ts';
import { NOW } from '../sample-data.ts';
import { every, type Script, type ScriptedData, type ScriptedOs } from './answers.ts';

const LOOK_MS = 100;
/** Hits of one answer of a source. */
const HITS = 20;
const AT_WORK = ['fetching', 'cutting', 'describing'];

/** The contract's `data` out of a script. */
export function script(os: ScriptedOs['data'], answers: ScriptedData): Script<'data'> {
  const told = () => answers.clips;
  const did = (what: string) => void told().done.push(what);
  const found = (id: string) => {
    const one = told().clips.find(({ clip }) => clip === id);
    if (!one) throw new Error(`There is no clip ${id}.`);
    return one;
  };
  const setTakenDown = (video: { source: string; id: string }, isTakenDown: boolean) => {
    const its = told().clips.filter(({ source, id }) => source === video.source && id === video.id);
    for (const clip of its) clip.isTakenDown = isTakenDown;
    return its.length;
  };
  async function* steps<Step>(all: readonly Step[]) {
    for (const [at, step] of all.entries()) {
      if (at > 0) await told().goOn;
      yield step;
    }
  }
  const keep = (models: readonly MeasuredModel[]) => {
    for (const { name, clips, thresholds } of models) {
      const known = told().thresholds.find((one) => one.name === name);
      if (known && thresholds) Object.assign(known, { thresholds, measured: { by: clips, at: Date.now() } });
    }
  };
  const state = (): DataState => {
    const { state: as, jobs, clips } = told();
    const now = as.mining === 'off' ? [] : jobs.filter(({ state: its }) => AT_WORK.includes(its)).slice(0, 2);
    const bytes = clips.reduce((sum, clip) => sum + clip.bytes, 0);
    return { ...as, jobs: countJobs(jobs), now, clips: clips.length, bytes };
  };
  return {
    state: os.state.handler(({ signal }) => every(() => LOOK_MS, state, signal)),
    sources: os.sources.handler(() => told().sources),
    search: os.search.handler(({ input: { source, topic, cursor = '0' } }) => {
      did(`search ${source} ${topic} ${cursor}`);
      const from = Number(cursor);
      const { hits } = told();
      return {
        found: hits.slice(from, from + HITS).map((hit) => ({ ...hit, source })),
        next: from + HITS < hits.length ? String(from + HITS) : null,
      };
    }),
    enqueue: os.enqueue.handler(({ input: { videos, topic } }) => {
      did(`enqueue ${videos.map(({ id }) => id).join(', ')}: ${topic}`);
      return { added: videos.length, known: 0, unusable: 0 };
    }),
    mine: os.mine.handler(({ input: { topic, sources = [], most } }) => {
      did(`mine ${topic} ${sources.join('+')} ${most}`);
      told().state = { ...told().state, mining: 'searching', order: { topic, sources, most, made: 0 } };
    }),
    stop: os.stop.handler(() => {
      did('stop');
      told().state = { ...told().state, mining: 'off' };
    }),
    resume: os.resume.handler(() => {
      did('resume');
      told().state = { ...told().state, mining: 'working' };
    }),
    jobs: os.jobs.handler(({ input: { state: wanted, before = Number.POSITIVE_INFINITY, rows } }) => {
      const left = told().jobs.filter((job) => job.number < before && (!wanted || job.state === wanted));
      const jobs = left.slice(0, rows);
      return { jobs, next: left.length > rows ? (jobs.at(-1)?.number ?? null) : null };
    }),
    retry: os.retry.handler(({ input: { number } }) => {
      did(`retry ${number ?? 'all'}`);
      const again = told().jobs.filter((job) => job.state === 'failed' && (!number || job.number === number));
      for (const job of again) Object.assign(job, { state: 'waiting', reason: null });
      return { retried: again.length };
    }),
    cancel: os.cancel.handler(({ input: { number } }) => {
      did(`cancel ${number}`);
      told().jobs = told().jobs.filter((job) => job.number !== number);
    }),
    clips: os.clips.handler(({ input }) => {
      const { text = '', about, like, source, licence, describedBy, isTakenDown = false, cursor = '0', rows } = input;
      const all = told().clips.filter(
        (clip) =>
          clip.isTakenDown === isTakenDown &&
          `${clip.title} ${clip.description}`.toLowerCase().includes(text.toLowerCase()) &&
          (!source || clip.source === source) &&
          (!licence || clip.licence === licence) &&
          (!describedBy || clip.describedBy === describedBy) &&
          clip.clip !== like,
      );
      const near = about !== undefined || like !== undefined;
      const from = Number(cursor);
      const clips = all.slice(from, from + rows);
      return {
        clips: near ? clips.map((clip, at) => ({ ...clip, closeness: 0.93 - 0.01 * (from + at) })) : clips,
        next: from + rows < all.length ? String(from + rows) : null,
        total: near ? null : all.length,
      };
    }),
    clip: os.clip.handler(({ input }) => found(input.clip)),
    describe: os.describe.handler(({ input: { clip, description } }) => {
      did(`describe ${description}`);
      return Object.assign(found(clip), { description, describedBy: 'user' as const });
    }),
    removeClip: os.removeClip.handler(({ input: { clip } }) => {
      did(`remove ${found(clip).title}`);
      told().clips = told().clips.filter((one) => one.clip !== clip);
    }),
    play: os.play.handler(({ input: { clip } }) => ({
      video: `${CLIP_PATH}/${clip}`,
      poster: `${CLIP_PATH}/${clip}/${POSTER_NAME}`,
    })),
    score: os.score.handler(({ input: { topic } }) => ({ topic, score: null, reason: null, clips: [] })),
    submissions: os.submissions.handler(({ input: { role, before = Number.POSITIVE_INFINITY, rows } }) => {
      const left = told().submissions.filter((one) => one.number < before && (!role || one.role === role));
      const submissions = left.slice(0, rows);
      return { submissions, next: left.length > rows ? (submissions.at(-1)?.number ?? null) : null };
    }),
    miners: os.miners.handler(() => told().miners),
    models: os.models.handler(() => told().models),
    fetchModel: os.fetchModel.handler(async function* ({ input: { name } }) {
      did(`fetch ${name}`);
      yield* steps(told().fetched);
      for (const model of told().models) if (model.name === name) model.isHere = true;
    }),
    removeModel: os.removeModel.handler(({ input: { name } }) => {
      did(`remove ${name}`);
      for (const model of told().models) if (model.name === name) model.isHere = false;
    }),
    thresholds: os.thresholds.handler(() => told().thresholds),
    calibrate: os.calibrate.handler(async function* () {
      did('calibrate');
      for await (const step of steps(told().calibrated)) {
        yield step;
        if (step.type === 'done') keep(step.models);
      }
    }),
    dataSet: os.dataSet.handler(() => told().set),
    export: os.export.handler(async function* ({ input: { flush } }) {
      did(flush ? 'export all' : 'export');
      yield* steps(told().exported);
    }),
    upload: os.upload.handler(async function* ({ input: { dryRun } }) {
      did(dryRun ? 'look at upload' : 'upload');
      yield* steps(told().uploaded);
    }),
    takeDowns: os.takeDowns.handler(() => told().takeDowns),
    takeDown: os.takeDown.handler(({ input: { source, id, reason } }) => {
      did(`take down ${id}: ${reason}`);
      const one = { source, id, reason, at: NOW, clips: setTakenDown({ source, id }, true) };
      told().takeDowns = [one, ...told().takeDowns];
      return one;
    }),
    undoTakeDown: os.undoTakeDown.handler(({ input: { source, id } }) => {
      did(`undo ${id}`);
      setTakenDown({ source, id }, false);
      told().takeDowns = told().takeDowns.filter((one) => one.source !== source || one.id !== id);
    }),
  };
}
