import type { Command } from 'commander';
import type { DataSource, SearchHit } from '../../../src-preload/contract/data.ts';
import type { SourceKind } from '../../../src-preload/contract/data-names.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { table, timeText } from '../terminal/output.ts';
import { sourceOption, topic } from './arguments.ts';

/** `quarry data sources` and `search`. */
export function registerFinding(data: Command): void {
  data
    .command('sources')
    .description('where videos come from, and what keeps one from being asked')
    .action(runCommand(sources));
  data
    .command('search')
    .argument('<topic>', 'in words', topic)
    .addOption(sourceOption('only this one (default: all that can be asked)'))
    .description('what the sources have of a topic, and under which licence; nothing is fetched')
    .action(runCommand(search));
}

async function sources({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const all = await node.data.sources();
    output.document(all);
    const rows = all.map((one) => [one.kind, standing(one), one.askedAt === null ? '–' : timeText(one.askedAt)]);
    output.line(table(['SOURCE', 'STATE', 'ASKED LAST'], rows));
    for (const { kind, terms } of all) if (terms) output.note(`${kind}: ${terms.text}`);
    const on = all.filter(({ isOn }) => isOn).map(({ kind }) => kind);
    for (const line of all.flatMap((one) => toSet(one, on))) output.note(line);
  });
}

/** What is typed for a source to be asked, by what each lacks. */
const LACKED: Readonly<Partial<Record<SourceKind, string>>> = {
  folder: 'data.folders ~/Videos',
  commons: 'data.contact you@example.org',
  peertube: 'data.peertube https://peertube.example',
  ytdlp: 'data.ytdlp /usr/bin/yt-dlp',
};

/** @param on those that are asked now */
function toSet({ kind, isOn, lacks }: DataSource, on: readonly SourceKind[]): string[] {
  const steps = [lacks ? LACKED[kind] : undefined, isOn ? undefined : `data.sources ${[...on, kind].join(' ')}`];
  const use = isOn ? `To use ${kind}` : `To switch ${kind} on`;
  return steps.filter((step) => step !== undefined).map((step) => `${use}: quarry settings set ${step}`);
}

function standing({ isOn, lacks, fault }: DataSource): string {
  if (!isOn) return 'off';
  return lacks?.text ?? fault?.text ?? 'ready';
}

async function search(
  { output, withNode, signal }: CommandContext,
  words: string,
  { source }: { source?: SourceKind },
): Promise<void> {
  await withNode({}, async (node) => {
    const ready = (await node.data.sources()).filter(({ isOn, lacks }) => isOn && !lacks).map(({ kind }) => kind);
    const found: SearchHit[] = [];
    const failures: QuarryError[] = [];
    for (const kind of source ? [source] : ready) {
      try {
        const page = await node.data.search({ source: kind, topic: words }, { signal });
        found.push(...page.found);
      } catch (error) {
        failures.push(QuarryError.from(error));
      }
      signal.throwIfAborted();
    }
    const [first] = failures;
    if (first && found.length === 0) throw first;
    for (const { message } of failures) output.note(message); // the others have answered
    output.document(found);
    if (found.length === 0) return output.line('Nothing was found.');
    output.line(table(['SOURCE', 'VIDEO', 'SECONDS', 'LICENCE', '', 'TITLE'], found.map(rowOf)));
    output.note(`To make clips of it: quarry data mine "${words}"`);
  });
}

const rowOf = ({ source, id, seconds, licence, unusable, isKnown, title }: SearchHit) => [
  ...[source, id, seconds === null ? '?' : Math.round(seconds), licence],
  ...[unusable?.text ?? (isKnown ? 'known' : ''), title],
];
