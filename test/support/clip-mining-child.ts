import { openDatabase } from '../../src-main/store/database.ts';
import { openClipWorld, WorldMedia, WorldSource } from './clip-world.ts';
import { report } from './report.ts';

/*
 * A process that mines until it is killed, or has come to its end: `node clip-mining-child.ts DATABASE FOLDER VIDEOS`. It says when it is open, of each clip, and when it has ended.
 */

const [path = '', folder = '', count = '0'] = process.argv.slice(2);
const videos = Array.from({ length: Number(count) }, (_, at) => ({
  ...{ id: `video-${at}`, seconds: 12 + 30 * (at % 4), bytes: 3_000 + 700 * at },
}));

const db = await openDatabase(path);
const world = await openClipWorld({
  db,
  folder,
  source: new WorldSource(videos, 2),
  media: new WorldMedia(3),
  placeMs: 10,
});
await report({ opened: true });
if (await world.jobs.order()) await world.miner.open();
else await world.miner.mine({ topic: 'cats', sources: ['commons'], most: 10_000 });
let told = 0;
for (let isOff = false; !isOff; ) {
  isOff = world.miner.state.mining === 'off';
  for (; told < world.made.length; told++) await report({ made: world.made[told] });
  await new Promise((resolve) => setTimeout(resolve, 2));
}
await world.miner.close();
await db.destroy();
await report({ ended: true });
