import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { CommandContext } from '../terminal/command.ts';
import { table } from '../terminal/output.ts';
import { NO_MARKET } from './no-market.ts';

/** `quarry focus market tasks`. @throws what the market says */
export async function wantedTasks({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const { tasks, marketError } = await node.focus.tasks({ kind: 'platform' });
    if (marketError) throw new QuarryError(marketError);
    output.document(tasks);
    if (tasks.length === 0) {
      const { market } = await node.trade.state();
      return output.line(market ? `The market ${market.url} wants nothing in particular.` : NO_MARKET);
    }
    const rows = tasks.map(({ id, recorded, title }) => [id ?? '', String(recorded), title]);
    output.line(table(['ID', 'RECORDED', 'TASK'], rows));
  });
}
