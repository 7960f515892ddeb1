import { flushCompileCache } from 'node:module';
import { openCompetition, scriptedJudge } from './open-competition.ts';
import { report } from './report.ts';

/*
 * A competition that judges what was revealed until it is killed: `node competition-child.ts FOLDER AT MOST`, where AT is the moment by its clock, in Unix milliseconds.
 * Each judging is reported when it begins; the last of so many never ends: whoever kills it may be slow.
 */

flushCompileCache(); // who is killed does not do it at the end

const [folder = '', at = '', most = ''] = process.argv.slice(2);
let begun = 0;
await openCompetition(folder, {
  now: () => Number(at),
  judge: async (artefact, options) => {
    await report({ judging: Buffer.from(artefact).toString('utf8'), seed: options.seed });
    if (++begun === Number(most)) await new Promise(() => {});
    return scriptedJudge(artefact, options);
  },
});
