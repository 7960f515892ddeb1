import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { Config } from '../../settings/config.ts';
import { ordinaryTimes, workForIt } from './asking.ts';
import { DIFFERS, DIFFERS_BUILT_IN } from './demo-config.ts';
import { openDemoFolder } from './demo-folder.ts';
import { chooseDemoModel } from './demo-model.ts';
import { dieInTheMiddle, takeThePlace } from './dying.ts';
import { lie } from './lying.ts';
import { DEMO_PACE, type DemoPace } from './pace.ts';
import { passAFile } from './passing-a-file.ts';
import { rush } from './rush.ts';
import type { DemoScene } from './scenes.ts';
import { Stage } from './stage.ts';

export interface DemoOptions {
  /** The user's own: port, host, token, model and log level of the main worker are taken from it, and nothing of its mesh. */
  config: Config;
  /** Folder for the nodes' things, which stays; the demonstration may be started there again. Default: a temporary one. */
  folder?: string | undefined;
  /** Folder of the user's models: what has real weights there is served. */
  models: string;
  /** Default {@link DEMO_PACE}. */
  pace?: DemoPace;
}

/** Questions by which those who serve come to be owed something, one after the other: bronze, silver, gold. */
const WORKED_FOR = [5, 3, 16];

/**
 * A complete mesh in this process, on the loopback interface alone, until the signal aborts: the worker that one watches, another one
 * beside it, clients of several tiers, and now and then somebody who lies. Everything happens for real and by the product's own rules.
 *
 * @throws CONFIG_INVALID for a folder that holds something else, PORT_IN_USE, MODEL_NOT_FOUND. What fails later is a scene.
 */
export async function* demo(options: DemoOptions, signal: AbortSignal): AsyncGenerator<DemoScene, void, undefined> {
  const { config, pace = DEMO_PACE } = options;
  await using folder = await openDemoFolder(options.folder);
  const model = await chooseDemoModel({ models: options.models, named: config.model }, folder.path);
  await using stage = new Stage({ config, folder: folder.path, model, pace });
  await stage.open(signal);
  if (signal.aborted) return;
  yield await opening(stage, options.folder);
  if (stage.second) yield { type: 'post', worker: stage.second.name };
  const yours: DemoScene[] = [];
  using _ = hearOfYours(stage, yours);
  for (let round = 0; !signal.aborted; round++) {
    for (const scene of scenesOf(stage, round)) {
      for await (const shown of safely(scene(signal), signal)) {
        if (signal.aborted) return; // what a scene was cut off at is not worth telling
        yield* yours.splice(0);
        yield shown;
      }
    }
  }
}

type Act = (signal: AbortSignal) => AsyncGenerator<DemoScene>;

/** The order of things. Between two of them it is quiet for a while. */
function* scenesOf(stage: Stage, round: number): Generator<Act> {
  const quiet: Act = (signal) => ordinaryTimes(stage, signal);
  yield (signal) => workForIt(stage, WORKED_FOR[round % WORKED_FOR.length] ?? 0, signal);
  yield quiet;
  yield (signal) => rush(stage, signal);
  yield quiet;
  const [taker] = stage.askers;
  if (taker) yield (signal) => passAFile(stage, taker, signal);
  yield quiet;
  const { second } = stage;
  yield (signal) => dieInTheMiddle(stage, signal);
  yield (signal) => takeThePlace(stage, second, signal);
  yield quiet;
  yield (signal) => lie(stage, signal);
}

/** What goes wrong in a scene is told, and the next one begins. */
async function* safely(scene: AsyncGenerator<DemoScene>, signal: AbortSignal): AsyncGenerator<DemoScene> {
  try {
    yield* scene;
  } catch (error) {
    if (!signal.aborted) yield { type: 'failure', error: QuarryError.from(error) };
  }
}

async function opening({ main, yours, model, friends }: Stage, kept: string | undefined): Promise<DemoScene> {
  const [{ engine, url = '' }, { url: api = '' }] = await Promise.all([
    main.app.node.status(),
    yours.app.node.status(),
  ]);
  return {
    type: 'ready',
    worker: main.name,
    id: main.id,
    url,
    screens: main.app.door.entry().url,
    api,
    model: engine.model?.name ?? 'none',
    real: model.real,
    friends: friends.map(({ name }) => name),
    differs: model.real ? DIFFERS : [...DIFFERS, DIFFERS_BUILT_IN],
    ...(kept !== undefined && { folder: kept }),
  };
}

/** What the main worker has served to the user's own node is told with the next scene. */
function hearOfYours(stage: Stage, told: DemoScene[]): Disposable {
  const stop = stage.onBooked(({ worker, receipt: { body }, booking: { points } }) => {
    if (body.client !== stage.yours.id || worker !== stage.main) return;
    const { completionTokens: tokens, processingMs: ms } = body;
    told.push({ type: 'yours', worker: worker.name, tokens, ms, points });
  });
  return { [Symbol.dispose]: stop };
}
