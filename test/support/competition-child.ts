import { flushCompileCache } from 'node:module';
import { openCompetition, scriptedJudge } from './open-competition.ts';
import { report } from './report.ts';

/*
 * A competition that judges what was revealed until it is killed: `node competition-child.ts FOLDER AT`, where AT is the moment by its clock, in Unix milliseconds.
 * Each judging is reported when it begins, and takes a moment.
 */

flushCompileCache(); // who is killed does not do it at the end

const [folder = '', at = ''] = process.argv.slice(2);
await openCompetition(folder, {
  now: () => Number(at),
  judge: async (artefact, options) => {
    await report({ judging: Buffer.from(artefact).toString('utf8'), seed: options.seed });
    await new Promise((resolve) => setTimeout(resolve, 40));
    return scriptedJudge(artefact, options);
  },
});
