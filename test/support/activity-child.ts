import { flushCompileCache } from 'node:module';
import { pino } from 'pino';
import { ActivityRecorder } from '../../src-main/activity/recorder.ts';
import { ActivityStore } from '../../src-main/store/activity.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import { report } from './report.ts';

/*
 * A miner's history, lived fast until it is killed: `node activity-child.ts DATABASE BEGIN`. Five seconds of its life pass in each turn
 * of the event loop or so; every other minute it is paused. What is on the disk is reported on standard output.
 */

flushCompileCache(); // who is killed does not do it at the end

class ReportingStore extends ActivityStore {
  override async add(minute: Parameters<ActivityStore['add']>[0]): Promise<void> {
    await super.add(minute);
    await report({ kept: 'minute', ...minute });
  }

  override async begin(gap: Parameters<ActivityStore['begin']>[0]): Promise<number> {
    const id = await super.begin(gap);
    await report({ kept: 'gap', ...gap });
    return id;
  }
}

const [path = '', begin = '0'] = process.argv.slice(2);
let now = Number(begin);
const isPaused = () => Math.floor(now / 60_000) % 2 === 1;
const recorder = new ActivityRecorder({
  store: new ReportingStore(await openDatabase(path)),
  read: () => ({
    share: isPaused() ? 0 : 1,
    gap: isPaused() ? { kind: 'paused', rule: 'user' } : undefined,
    model: 'tiny',
  }),
  refused: () => 0,
  now: () => now,
  log: pino({ level: 'silent' }),
});
await recorder.open();
for (;;) {
  recorder.done({ tokens: 5 });
  now += 5_000;
  recorder.look();
  await new Promise((resolve) => setTimeout(resolve, 1));
}
