import type { OwnEntry } from '../../../src-preload/contract/competition.ts';
import { WHOLE_POT } from '../../../src-preload/contract/competition-numbers.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { foreignLine } from '../../base/foreign-text.ts';
import type { NodeClient } from '../terminal/node-client.ts';
import { percent, table, timeText } from '../terminal/output.ts';

const SHORT = 8;

/** @throws BAD_REQUEST where none begins like that, or several do */
export async function foundEntry(node: NodeClient, beginning: string): Promise<OwnEntry> {
  const { entries } = await node.competition.state();
  const [one, other] = entries.filter(({ id }) => id.startsWith(beginning));
  if (one && !other) return one;
  const message = `${one ? 'Several submissions begin' : 'No submission begins'} with «${beginning}».`;
  throw new QuarryError({ code: 'BAD_REQUEST', message, hint: 'They are listed by: quarry submit list', field: 'id' });
}

/** A row each. */
export function entriesTable(entries: readonly OwnEntry[]): string {
  const rows = entries.map((entry) => [
    ...[
      entry.id.slice(0, SHORT),
      timeText(entry.createdAt),
      foreignLine(entry.name),
      entry.tokens.toLocaleString('en'),
    ],
    ...[entry.countsIn ?? entry.round, entry.state, revealText(entry), timesText(entry), placeText(entry)],
  ]);
  return table(['ID', 'AT', 'FILE', 'TOKENS', 'ROUND', 'STATE', 'REVEALED IN', 'SPEED', 'PLACE'], rows);
}

/** Why something is as it is, and what is missing to be counted. */
export function entryRemarks({ id, reason, missing, error }: OwnEntry): string[] {
  const sentences = [error?.message, reason?.text, ...missing.map(({ text }) => text)];
  return sentences.filter((text) => text !== undefined).map((text) => `${id.slice(0, SHORT)}: ${foreignLine(text)}`);
}

function revealText({ reveal }: OwnEntry): string {
  if (!reveal) return '–';
  return reveal.blocksLeft === 0 ? 'now' : `${reveal.blocksLeft} blocks`;
}

const timesText = ({ measured }: OwnEntry) => (measured ? `×${measured.ratio.median.toFixed(2)}` : '–');

function placeText({ place, share }: OwnEntry): string {
  if (place === null) return '–';
  return share > 0 ? `${place} (${percent(share / WHOLE_POT)})` : String(place);
}
