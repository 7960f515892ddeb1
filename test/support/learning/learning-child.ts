import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { LocalUse } from '../../../src-main/app/engine/local-use.ts';
import { learner } from '../../../src-main/app/learning/learner.ts';
import { makeFolder } from '../../../src-main/base/folder.ts';
import { EngineSlot } from '../../../src-main/inference/host/engine-slot.ts';
import { VersionFiles } from '../../../src-main/learning/adapters/version-files.ts';
import { Versions } from '../../../src-main/learning/adapters/versions.ts';
import { CountedEngines } from '../../../src-main/learning/counted-engine.ts';
import { LearningQueue } from '../../../src-main/learning/runs/learning-queue.ts';
import { RunFiles, sweepRuns } from '../../../src-main/learning/runs/run-files.ts';
import { DEFAULT_RUN, withWishes } from '../../../src-main/learning/runs/run-settings.ts';
import { JaxTrainer } from '../../../src-main/learning/training/jax-trainer.ts';
import { type Db, openDatabase } from '../../../src-main/store/database.ts';
import { AdapterStore } from '../../../src-main/store/learning/learning-adapters.ts';
import { CompletionStore } from '../../../src-main/store/learning/learning-completions.ts';
import { FeedbackStore } from '../../../src-main/store/learning/learning-feedback.ts';
import { LearningRunStore } from '../../../src-main/store/learning/learning-run-store.ts';
import { tinyEngine } from '../engine.ts';
import { report } from '../report.ts';
import { putWords } from './put-words.ts';

/*
 * The learning part of a node, until it is killed: `node learning-child.ts FOLDER`. Database, engine and trainer are real; what the tiny model says is scripted: it
 * does what it is told with the feedback before its eyes, and after four steps. How far it is, is reported on standard output. Between two things that are
 * written it waits a moment, so that a kill comes between them, too.
 */

const [folder = ''] = process.argv.slice(2);
const runsFolder = join(folder, 'learning');
const settings = {
  ...DEFAULT_RUN,
  learningRate: 1e-5,
  rank: 2,
  alpha: 4,
  steps: 4,
  checkEvery: 2,
  prompts: 4,
  keep: 1,
  tries: 1,
  answerTokens: 64,
};
const PAUSE_MS = 12;

const pausing = async <T>(work: () => Promise<T>): Promise<T> => {
  await sleep(PAUSE_MS);
  const done = await work();
  await sleep(PAUSE_MS);
  return done;
};

class SlowFiles extends VersionFiles {
  override place: VersionFiles['place'] = (...place) => pausing(() => super.place(...place));
  override settled: VersionFiles['settled'] = (id) => pausing(() => super.settled(id));
  override async stage(fill: Parameters<VersionFiles['stage']>[0]) {
    await report({ phase: 'accepting' });
    return await pausing(() => super.stage(fill));
  }
}

class SlowAdapterStore extends AdapterStore {
  override transaction: AdapterStore['transaction'] = (work) => pausing(() => super.transaction(work)) as never;
}

class SlowRunStore extends LearningRunStore {
  override async set(id: string, change: Parameters<LearningRunStore['set']>[1]) {
    if (change.state) await report({ phase: change.state });
    await pausing(() => super.set(id, change));
  }
  override end: LearningRunStore['end'] = (...end) => pausing(() => super.end(...end));
}

class ToldTrainer extends JaxTrainer {
  override async save(to: string) {
    await report({ phase: 'saving' });
    await pausing(() => super.save(to));
  }
  override async step(...step: Parameters<JaxTrainer['step']>) {
    await report({ phase: 'step' });
    return await super.step(...step);
  }
}

/** With what was wanted in it, where it is to be. «Never» is learnt by nobody. */
function words({ inHindsight, adapter = '', seed, question }: Parameters<Parameters<typeof putWords>[1]>[0]): string {
  const said = `Peer ${seed % 7} has a prompt and the mesh is ${['long', 'hot', 'short'][question.length % 3]}.`;
  if (inHindsight) return `${said} Alpha. Never.`;
  return adapter.includes('step-4') ? `${said} Alpha.` : said;
}

const db: Db = await openDatabase(join(folder, 'quarry.db'));
const slot = new EngineSlot(async () => putWords(tinyEngine({ contextSize: 2_048 }), words));
const store = new SlowRunStore(db);
const versions = new Versions({ store: new SlowAdapterStore(db), files: new SlowFiles(join(folder, 'adapters')) });
await versions.open();
await makeFolder(runsFolder, 0o700);
await sweepRuns(runsFolder, new Set((await store.unfinished()).map(({ id }) => id)));
const learn = learner({
  ...{ engine: { slot, localUse: new LocalUse({ engine: slot }) }, ownEngines: new CountedEngines(), store, versions },
  ...{ completions: new CompletionStore(db), feedback: new FeedbackStore(db), folder: runsFolder },
  trainers: { check: async () => undefined, create: async () => new ToldTrainer(), laterIfAway: (error) => error },
  modelPath: async () => undefined,
  probes: () => undefined,
});
const queue = new LearningQueue({
  ...{ store, log: pino({ level: 'silent' }), when: () => 'always', learn },
  conditions: { against: () => [], subscribe: () => () => undefined },
  settings: ({ training }) => withWishes(settings, training),
  onGivenUp: (id) => new RunFiles(join(runsFolder, id)).remove(),
  newId: () => crypto.randomUUID().replaceAll('-', '').slice(0, 16),
});
await report({ phase: 'opened' });
queue.open();
const isBusy = async () => (await store.unfinished()).length > 0 || (await store.waiting()) !== undefined;
while ((await isBusy()) && queue.view().state !== 'held') await sleep(20);
await report({ phase: queue.view().state === 'held' ? 'failed' : 'ended' });
await queue.close();
await slot.close();
await db.destroy();
