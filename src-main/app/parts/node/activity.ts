import type { ActivityHistory, HistoryRange } from '../../../../src-preload/contract/activity.ts';
import { readHistory } from '../../../activity/history.ts';
import { readMined } from '../../../activity/mined.ts';
import { ActivityRecorder } from '../../../activity/recorder.ts';
import { activityState } from '../../../activity/state.ts';
import type { MinedSpans } from '../../../hardware/energy.ts';
import { ActivityStore } from '../../../store/activity.ts';
import type { NodeReading } from '../../node/reading.ts';
import type { Core } from '../core.ts';
import type { EnergyPart } from '../energy.ts';
import type { MeshPart } from '../mesh/mesh.ts';
import { type MiningPart, THROTTLED_SPEED } from '../mesh/mining.ts';

/** What this node did, kept across restarts. */
export interface ActivityPart {
  history(range: HistoryRange): Promise<ActivityHistory>;
  /** How long it has mined today and over the last seven days, today included, and what energy was measured meanwhile. */
  mined(): Promise<MinedSpans>;
}

export interface ActivityNeeds {
  /** Absent on a node that serves nobody, and on one that was opened for a single command: nothing is written there. */
  mining: Pick<MiningPart, 'switch' | 'policy' | 'work'> | undefined;
  mesh: Pick<MeshPart, 'swarm'> | undefined;
  energy: Pick<EnergyPart, 'onUsed'>;
  read: () => NodeReading;
}

export async function openActivity(core: Core, needs: ActivityNeeds): Promise<ActivityPart> {
  const store = new ActivityStore(core.db);
  const recorder = needs.mining && (await openRecorder(core, store, { ...needs, mining: needs.mining }));
  return {
    history: (range) => readHistory(range, Date.now(), { db: core.db, store, running: recorder?.current() }),
    mined: () => readMined(Date.now(), store, recorder?.current()),
  };
}

async function openRecorder(
  { log, onClose }: Core,
  store: ActivityStore,
  { mining, mesh, energy, read }: ActivityNeeds & { mining: NonNullable<ActivityNeeds['mining']> },
): Promise<ActivityRecorder> {
  const recorder = new ActivityRecorder({
    store,
    read: () => activityState(read(), THROTTLED_SPEED),
    refused: () => noRoom(mesh?.swarm.refusals.counts() ?? {}),
    log,
  });
  onClose(() => recorder.close());
  await recorder.open();
  mining.switch.subscribe(() => recorder.look());
  mining.policy.subscribe(() => recorder.look());
  mining.work.on('tokens', (tokens) => recorder.done({ tokens }));
  mining.work.on('booked', (_, { points, repeated }) => {
    if (!repeated) recorder.done({ answers: 1, points });
  });
  energy.onUsed((joules) => recorder.used(joules));
  return recorder;
}

/** A node that rests refuses with `OVERLOADED`, too; but then it does not serve, and nothing of that is counted. */
function noRoom({ QUEUE_FULL = 0, OVERLOADED = 0 }: Record<string, number>): number {
  return QUEUE_FULL + OVERLOADED;
}
