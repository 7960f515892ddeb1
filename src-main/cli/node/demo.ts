import { join } from 'node:path';
import { styleText } from 'node:util';
import { sizeText } from '../../../src-preload/contract/sizes.ts';
import type {
  AnswerScene,
  DemoScene,
  LiarScene,
  OwedScene,
  QueueScene,
  ReadyScene,
  StandingScene,
} from '../../app/demo/scenes.ts';
import { defaultDataDir } from '../../base/data-folder.ts';
import { version } from '../../base/version.ts';
import { PAIR_CAP_A_DAY } from '../../credits/score/score.ts';
import type { CommandContext } from '../terminal/command.ts';
import { counted, durationText, shortened } from '../terminal/output.ts';
import { clock } from './node-report.ts';

/** Characters of an answer that are shown, with what stands for the others. */
const ANSWER_CHARS = 101;
/** Names of a list that are told; the others are counted. */
const NAMES_TOLD = 6;
const ANSWER_INDENT = ' '.repeat(9);

/** `quarry start --demo`: tells what happens on a whole mesh in this process, a line each; with `--json` a document a scene. */
export async function runDemo({ config, sources, output, signal }: CommandContext): Promise<void> {
  output.line(`${styleText('bold', `Quarry ${version}`)}: a whole mesh on this computer. It takes a moment to start.`);
  const { demo } = await import('../../app/demo/demo.ts');
  // A folder that the environment names is a node's of one's own.
  const folder = sources.flags?.dataDir === undefined ? undefined : config.dataDir;
  const home = folder === undefined ? config.dataDir : defaultDataDir();
  const models = config.models.folder ?? join(home, 'models');
  for await (const scene of demo({ config, folder, models }, signal)) {
    output.document(scene);
    if (!output.json) for (const line of linesOf(scene)) output.line(line);
  }
  output.line('Stopped. The demonstration has ended all its nodes.');
}

/** What a scene says on a terminal. */
export function linesOf(scene: DemoScene): string[] {
  switch (scene.type) {
    case 'ready':
      return opening(scene);
    case 'answer':
      return answer(scene);
    case 'owed':
      return [event(owed(scene))];
    case 'standing':
      return [event(standing(scene))];
    case 'queue':
      return [event(queue(scene))];
    case 'file':
      return [
        event(
          `${scene.to} got the model file «${scene.name}» from ${scene.from}: ${sizeText(scene.bytes)} in ${durationText(scene.ms)}. Its SHA-256 is the one that was asked for (${scene.sha256.slice(0, 8)}…).`,
          'cyan',
        ),
      ];
    case 'death':
      return [
        event(
          `${scene.worker} died in the middle of an answer for ${scene.client}: «${scene.reason}» ${scene.by} gave the whole answer ${durationText(scene.ms)} later.`,
          'red',
        ),
      ];
    case 'post':
      return [
        event(
          `${scene.worker} serves beside demo-worker now.${scene.before ? ` ${scene.before} comes back, and only asks.` : ''}`,
        ),
      ];
    case 'leaving':
      return [
        event(
          `${scene.name} leaves. Only ${PAIR_CAP_A_DAY} receipts a day count between two nodes, and demo-worker has ${scene.receipts} from ${scene.name}. ${scene.next} comes, with a new key.`,
        ),
      ];
    case 'liar':
      return [event(liar(scene), 'red')];
    case 'yours':
      return [
        event(
          `You asked, and ${scene.worker} answered: ${counted(scene.tokens, 'token')} in ${durationText(scene.ms)}, ${points(scene.points)}.`,
          'cyan',
        ),
      ];
    case 'failure':
      return [event(`This did not work: ${scene.error.message} ${scene.error.hint ?? ''}`.trim(), 'yellow')];
  }
}

function opening(scene: ReadyScene): string[] {
  const { worker, model, real, friends, differs, folder, screens, api } = scene;
  const babble = real ? '' : ' It is built in and babbles; all else is real.';
  return [
    '',
    `  ${bold(worker)} serves the model «${model}».${babble}`,
    `  ${list(friends)} ask it. One of them serves beside it, and they take turns.`,
    `  Nothing leaves this computer. Keys, credits and rules are the same as on any other mesh, except:`,
    ...differs.map((text) => `    - ${text}`),
    folder === undefined
      ? '  All of it is kept in a temporary folder, which goes away at the end.'
      : `  All of it is kept in ${folder}. You can start the demonstration there again.`,
    ...(folder === undefined ? [] : [`  Another link:  quarry open --data ${join(folder, worker)}`]),
    '',
    `  Watch ${worker} in a browser (the link works once):  ${screens}`,
    `  Ask the mesh yourself:  curl ${api}/v1/chat/completions -H 'content-type: application/json' \\`,
    `    -d '{"model":"mesh","messages":[{"role":"user","content":"Hello"}]}'`,
    '  Ctrl+C stops.',
    '',
  ];
}

function answer(scene: AnswerScene): string[] {
  const { client, tier, question, worker, text, tokens, ms, credits, total, workerTier } = scene;
  const who = tier === 'newcomer' ? client : `${client} (${tier})`;
  const earned = scene.points === undefined ? 'no receipt yet' : points(scene.points);
  const inAll = `${total.toLocaleString('en')} in all: ${workerTier}`;
  return [
    `${clock()} ${styleText('cyan', who)} asks ${styleText('magenta', worker)}: ${question}`,
    `${ANSWER_INDENT}${styleText('dim', `«${oneLine(text)}»`)} ${counted(tokens, 'token')} in ${durationText(ms)}, ${counted(credits, 'credit')}, ${earned} (${inAll})`,
  ];
}

function owed({ to, answers, credits, tier }: OwedScene): string {
  const debt = `demo-worker has had ${counted(answers, 'answer')} from ${to}, and owes ${to} ${counted(credits, 'credit')} now.`;
  return `${debt} So ${to} is ${tier} there, and is served before strangers.`;
}

function standing({ points: total, tier, seenBy }: StandingScene): string {
  const has = `demo-worker has ${counted(total, 'point')}: ${tier}.`;
  const behind = seenBy.filter((other) => other.tier !== tier);
  if (behind.length === 0) return `${has} All others have read its log and see the same.`;
  const names = list(behind.map(({ name }) => name));
  const seen = list([...new Set(behind.map((other) => other.tier))]);
  return `${has} ${names} still ${behind.length === 1 ? 'sees' : 'see'} ${seen}: three others must confirm a total before it counts.`;
}

function queue({ state, waiting, running, answered = 0, refused = 0 }: QueueScene): string {
  if (state === 'over') {
    const full = refused > 0 ? ` ${refused} found no room.` : '';
    return `The queue is empty again: ${answered} were answered.${full}`;
  }
  const first = state === 'growing' ? 'Many ask at once: ' : '';
  return `${styleText('yellow', '▮'.repeat(waiting))} ${first}${waiting} wait at demo-worker, ${running} run.`.trimStart();
}

function liar({ name, claimed, detail, foundBy: [first = '', ...others] }: LiarScene): string {
  const readers = others.length > 0 ? `${first} and ${counted(others.length, 'other')}` : first;
  const claims = `${name} claims ${counted(claimed, 'point')}. ${readers} read its log and found it out: ${detail}.`;
  return `${claims} ${name} counts for nothing for 30 days.`;
}

function points(count: number): string {
  return count > 0 ? styleText('green', `+${counted(count, 'point')}`) : 'no points';
}

/** «ada», «ada and ben», «ada, ben and 4 others». */
function list(names: string[]): string {
  const told =
    names.length > NAMES_TOLD ? [...names.slice(0, NAMES_TOLD - 1), `${names.length - NAMES_TOLD + 1} others`] : names;
  return told.length < 2 ? (told[0] ?? '') : `${told.slice(0, -1).join(', ')} and ${told.at(-1)}`;
}

/** A line that stands out among questions and answers. */
function event(text: string, colour: 'cyan' | 'red' | 'yellow' | 'reset' = 'reset'): string {
  return `${clock()} ${styleText(colour, `● ${text}`)}`;
}

function bold(text: string): string {
  return styleText('bold', text);
}

function oneLine(text: string): string {
  return shortened(text.replace(/\s+/g, ' ').trim(), ANSWER_CHARS);
}
