import { styleText } from 'node:util';
import { type Command, Option } from 'commander';
import type { HubModel, HubQuantisation } from '../../../src-preload/contract/hub.ts';
import { HUB_SORTS, type HubSort } from '../../../src-preload/contract/hub-sorts.ts';
import { sizeText } from '../../../src-preload/contract/sizes.ts';
import { integer } from '../terminal/arguments.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { dayText, table } from '../terminal/output.ts';
import { RUNS, rateText } from './rates.ts';

/** `quarry models search`: what there is at Hugging Face, or the mirror that the settings name. */
export function registerModelHub(models: Command): void {
  models
    .command('search')
    .argument('[words...]', 'words of its name (default: what most people download)')
    .description('search Hugging Face for models in GGUF files')
    .addOption(new Option('--sort <order>', 'what comes first').choices(HUB_SORTS).default('downloads'))
    .addOption(new Option('--limit <n>', 'most that are listed').argParser(integer(1, 100)).default(20))
    .action(runCommand(search));
}

async function search(
  { output, signal, withNode }: CommandContext,
  words: string[],
  { sort, limit }: { sort: HubSort; limit: number },
): Promise<void> {
  await withNode({}, async (node) => {
    const found = await node.models.search({ text: words.join(' '), sort, limit }, { signal });
    output.document(found);
    if (found.models.length === 0) return output.line(`${found.host} has no GGUF model of that name.`);
    output.line(
      table(
        ['MODEL', 'RUNS', 'DOWNLOADS', 'LIKES', 'UPDATED', 'LICENCE', ''],
        found.models.map(({ id, fit, downloads, likes, updatedAt, licence, access }) => [
          id,
          fit ? RUNS[fit.runs] : '–',
          downloads.toLocaleString('en'),
          likes.toLocaleString('en'),
          updatedAt === null ? '–' : dayText(updatedAt),
          licence ?? '–',
          access === 'open' ? '' : 'gated',
        ]),
      ),
    );
    output.line('\nRUNS is estimated for Q4_K_M. See every size: quarry models show OWNER/NAME');
  });
}

/** `quarry models show OWNER/NAME`: its quantisations, and which suits this machine. */
export async function showRepository({ output, signal, withNode }: CommandContext, id: string): Promise<void> {
  await withNode({}, async (node) => {
    const found = await node.models.repository({ id, exact: true }, { signal });
    output.document(found);
    output.line(styleText('bold', found.id));
    output.line(`Licence: ${found.licence ?? 'not told'}. ${found.page}`);
    if (found.access !== 'open') output.line(accessText(found));
    output.line(`\n${quantisationTable(found.quantisations)}`);
    if (found.estimated) output.line('\nMemory and speed are estimated from the sizes of the files.');
    const { name } = found.quantisations.find(({ recommended }) => recommended) ?? { name: 'QUANTISATION' };
    output.line(`\nDownload one: quarry models pull ${id}:${name}`);
  });
}

function quantisationTable(all: readonly HubQuantisation[]): string {
  return table(
    ['', 'QUANTISATION', 'SIZE', 'RUNS', 'TOKENS/S', ''],
    all.map(({ name, bytes, pieces, fit, recommended, installed, model }) => [
      installed ? '✓' : recommended ? '●' : '',
      name,
      sizeText(bytes),
      pieces > 1 ? `no: it comes in ${pieces} files` : fit ? RUNS[fit.runs] : '–',
      fit && fit.runs !== 'no' ? rateText(fit.speed) : '–',
      installed ? `here as ${model}` : recommended ? 'suits this machine best' : '',
    ]),
  );
}

function accessText({
  access,
  page,
  hasToken,
}: Pick<HubModel, 'access'> & { page: string; hasToken: boolean }): string {
  const ask = access === 'terms' ? 'accept its terms' : 'ask its owner for access';
  const token = hasToken ? 'the account of your token' : 'your account, then set models.token (or HF_TOKEN)';
  return `Gated: ${ask} on ${page} with ${token}.`;
}

/** `OWNER/NAME:QUANTISATION`, or without one. */
export function ofRepository(typed: string): { repository: string; quantisation?: string } {
  const colon = typed.indexOf(':');
  if (colon < 0) return { repository: typed };
  const quantisation = typed.slice(colon + 1);
  return { repository: typed.slice(0, colon), ...(quantisation && { quantisation }) };
}
