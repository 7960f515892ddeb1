import { flushCompileCache } from 'node:module';
import { ClipSubmissionStore } from '../../src-main/store/clips/clip-submissions.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import type { CheckingPorts } from '../../src-main/subnets/omega/clips/checking/checking-ports.ts';
import { judgeVideos } from '../../src-main/subnets/omega/clips/checking/judge-videos.ts';
import { honestClip, videosText } from './handed-in.ts';
import { checkingPorts } from './judged-clips.ts';
import { report } from './report.ts';

/*
 * A validator that judges the same twenty answers again and again until it is killed: `node clip-judge-child.ts DATABASE FOLDER`. What each came to is reported on standard output.
 */

flushCompileCache(); // who is killed does not do it at the end

const [path = '', folder = ''] = process.argv.slice(2);
const db = await openDatabase(path);
const ports: CheckingPorts = checkingPorts(new ClipSubmissionStore(db), folder).ports;
await ports.look.open();
await report({ opened: true });
for (;;) {
  for (let nth = 0; nth < 20; nth++) {
    const clips = Array.from({ length: 8 }, (_, at) => honestClip(`owls night:${8 * nth + at}`));
    const key = `${nth}`.padStart(32, '0');
    const task = {
      wanted: { of: 'videos', topic: 'owls night', count: 8 },
      key,
      isDrawn: nth % 3 === 0,
      place: 0,
    } as const;
    const { score } = await judgeVideos(ports, task, videosText(clips), { party: 'miner' });
    await report({ judged: nth, score });
  }
}
