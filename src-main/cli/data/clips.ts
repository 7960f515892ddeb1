import { type Command, Option } from 'commander';
import type { Clip, ClipFilter, ClipScore, Submission } from '../../../src-preload/contract/data.ts';
import { MAX_CLIP_DESCRIPTION_CHARS, MAX_DATA_PAGE } from '../../../src-preload/contract/data-limits.ts';
import { DESCRIBERS, LICENCES } from '../../../src-preload/contract/data-names.ts';
import { sizeText } from '../../../src-preload/contract/sizes.ts';
import { integer } from '../terminal/arguments.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import type { NodeClient } from '../terminal/node-client.ts';
import { counted, table, timeText } from '../terminal/output.ts';
import { clipId, clipIds, sourceOption, topic } from './arguments.ts';

/** `quarry data clips|clip|describe|remove|score` */
export function registerClips(data: Command): void {
  data
    .command('clips')
    .argument('[words]', 'only those that have them in title, description or what is said')
    .option('--about <words>', 'the nearest to these words, by meaning', topic)
    .option('--like <clip>', 'the nearest to this clip', clipId)
    .addOption(sourceOption('only from there'))
    .addOption(new Option('--licence <licence>', 'only under this one').choices(LICENCES))
    .addOption(new Option('--described-by <who>', 'only those that were described so').choices(DESCRIBERS))
    .option('--topic <topic>', 'only those that were found for it', topic)
    .option('--taken-down', 'only those that were taken down')
    .option('--limit <n>', 'how many', integer(1, MAX_DATA_PAGE), 30)
    .option('--from <place>', 'where the page before ended')
    .description('the clips there are, the newest first')
    .action(runCommand(list));
  const one = () => ['<clip>', 'its id, as «quarry data clips» shows it', clipId] as const;
  data
    .command('clip')
    .argument(...one())
    .description('all that is known of one')
    .action(runCommand(show));
  data
    .command('describe')
    .argument(...one())
    .argument('<text>', `what is seen and heard in it, up to ${MAX_CLIP_DESCRIPTION_CHARS} characters`)
    .description('describe a clip in your own words')
    .action(runCommand(describe));
  data
    .command('remove')
    .argument(...one())
    .description('delete a clip, with its file')
    .action(runCommand(remove));
  data
    .command('score')
    .argument('<topic>', 'that they are handed in for', topic)
    .argument('<clips...>', 'ids of up to 8 clips', clipIds)
    .description('what clips would be worth as one submission, and why')
    .action(runCommand(score));
}

type ListFlags = Pick<ClipFilter, 'about' | 'like' | 'source' | 'licence' | 'describedBy' | 'topic'> & {
  takenDown?: boolean;
  limit: number;
  from?: string;
};

async function list(
  { output, withNode }: CommandContext,
  words: string | undefined,
  { takenDown, limit, from, about, like, source, licence, describedBy, topic: found }: ListFlags,
): Promise<void> {
  await withNode({}, async (node) => {
    const filter: ClipFilter = {
      ...{ text: words, about, like, source, licence, describedBy, topic: found },
      ...{ rows: limit, cursor: from, isTakenDown: takenDown },
    };
    const { clips, next, total } = await node.data.clips(filter);
    output.document({ clips, next, total });
    if (clips.length === 0) return output.line(await noneText(node, filter));
    output.line(table(['CLIP', 'SECONDS', 'FROM', 'LICENCE', 'BY', 'SCORE', 'NEAR', 'TITLE'], clips.map(rowOf)));
    if (total !== null) output.line(`${counted(total, 'clip')} in all.`);
    if (next !== null) output.note(`There are more: --from ${next}`);
  });
}

/** Whether there are none at all, or none like that. */
async function noneText(node: NodeClient, filter: ClipFilter): Promise<string> {
  const { rows: _, ...narrowed } = filter;
  const isNarrowed = Object.values(narrowed).some((value) => value !== undefined);
  const { clips } = await node.data.clips({ rows: 1 });
  if (isNarrowed && clips.length > 0) return 'No clip is like that.';
  return 'There are no clips yet: quarry data mine TOPIC';
}

/** By whom a description is, and how far it can be relied on. */
function describedBy({ describedBy: by, describedWith, clip }: Clip): string {
  if (by === 'user') return 'In your words:';
  if (by === 'title') return 'In the words of whoever published it:';
  const guessed =
    by === 'model'
      ? `The title, and what ${describedWith ?? 'a model'} sees in it, who may be wrong.`
      : 'The words of whoever published it. «Seen» is what a model of pictures takes it for, «Spoken» what one of speech has heard: both guess.';
  return `${guessed} To put it right: quarry data describe ${clip} "…"`;
}

const rowOf = (clip: Clip) => [
  ...[clip.clip, (clip.to - clip.from).toFixed(1), clip.source, clip.licence, clip.describedBy],
  ...[clip.score?.worth.toFixed(3) ?? '–', clip.closeness?.toFixed(2) ?? '', clip.title],
];

async function show({ output, withNode }: CommandContext, id: string): Promise<void> {
  await withNode({}, async (node) => {
    const clip = await node.data.clip({ clip: id });
    output.document(clip);
    tell(clip, output);
  });
}

function tell(clip: Clip, output: CommandContext['output']): void {
  output.line(`${clip.title}\n`);
  output.line(
    table(
      ['', ''],
      [
        ['video', `${clip.source} ${clip.id}, ${clip.from.toFixed(1)} to ${clip.to.toFixed(1)} s`],
        ['licence', `${clip.licence}${clip.licenceUrl ? ` ${clip.licenceUrl}` : ''}`],
        ['name with it', clip.attribution],
        ['page', clip.page ?? '–'],
        ['file', `${clip.width} × ${clip.height}, ${sizeText(clip.bytes)}${clip.hasSound ? '' : ', without sound'}`],
        ['made', `${timeText(clip.createdAt)}, for «${clip.topic}»`],
        ['numbers by', clip.space ?? '–'],
        ['worth', clip.score ? (clip.score.uncounted?.text ?? clip.score.worth.toFixed(3)) : 'not scored yet'],
        ...(clip.isTakenDown ? [['taken down', 'it goes into no data set']] : []),
      ],
    ),
  );
  output.line(`\n${describedBy(clip)}\n${clip.description}`);
  const speakers = clip.speakers === null ? '' : ` by ${clip.speakers}`;
  if (clip.words !== null) output.line(`\nSaid${speakers}, as a model has heard it:\n${clip.words}`);
}

async function describe({ output, withNode }: CommandContext, id: string, text: string): Promise<void> {
  await withNode({}, async (node) => {
    const clip = await node.data.describe({ clip: id, description: text });
    output.document(clip);
    output.line(clip.score ? `Described. It is worth ${clip.score.worth.toFixed(3)}.` : 'Described.');
  });
}

async function remove({ output, withNode }: CommandContext, id: string): Promise<void> {
  await withNode({}, async (node) => {
    await node.data.removeClip({ clip: id });
    output.document({ clip: id });
    output.line(`${id} is removed.`);
  });
}

async function score({ output, withNode }: CommandContext, words: string, clips: string[]): Promise<void> {
  await withNode({}, async (node) => {
    const submission = await node.data.score({ topic: words, clips });
    output.document(submission);
    output.line(scoreTable(submission.clips));
    output.note(MEANING);
    if (submission.reason) output.line(submission.reason.text);
    if (submission.score !== null) output.line(`Together they are worth ${submission.score.toFixed(3)}.`);
  });
}

const LOOKED_AT: Readonly<Record<ClipScore['check'], string>> = {
  unlooked: 'no',
  right: 'right',
  lie: 'a lie',
  differs: 'another one; no proof',
  notFetched: 'not fetched',
};

/** What the heads of {@link scoreTable} mean. */
const MEANING =
  'DESCRIPTION and TOPIC: how close they are to the clip, 0 to 1. DETAIL: what the length of the description lets it count, from 0.65 (up to 100 TOKENS: different words and parts of words) to 1 (from 300 on).';

/** What each clip of a submission is worth, and by what. */
export function scoreTable(clips: Submission['clips']): string {
  const share = (value: number | null | undefined) => value?.toFixed(2) ?? '–';
  const rows = clips.map(({ clip, id, score: one }) => [
    ...[clip ?? id, one?.worth.toFixed(3) ?? '–', share(one?.descriptionRelevance), share(one?.topicRelevance)],
    ...[share(one?.detail), one?.uniqueTokens ?? '–', share(one?.novelty), one ? LOOKED_AT[one.check] : '–'],
    one?.uncounted?.text ?? '',
  ]);
  return table(['CLIP', 'WORTH', 'DESCRIPTION', 'TOPIC', 'DETAIL', 'TOKENS', 'NEW', 'LOOKED AT', 'WHY NOT'], rows);
}
