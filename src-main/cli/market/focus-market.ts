import { styleText } from 'node:util';
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { raoOf } from '../../../src-preload/contract/rao.ts';
import { withSendOptions } from '../bittensor/send-call.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { buy, drop, fetchVideo, listVideos, purchases, revert, status } from './buying.ts';
import { judge, reviews } from './judging.ts';
import { appeal, offer, offers, payBack, send, withdraw } from './selling.ts';
import { wantedTasks } from './wanted-tasks.ts';

const HELP = `
What has to be set first: trade.url and trade.key (of the market, as whoever runs it tells them), trade.wallet and
trade.hotkey (who pays and is paid, and signs), and for buying trade.dailyCap (TAO in 24 hours; 0 buys nothing).

Buying goes: the market keeps the video for you, you are shown a payment and say yes, it is waited for until nothing
can undo it, the market finds it on the chain, and the video is fetched into the folder «trade». What is cut off
goes on with the next start; nothing is paid twice. Try it without money first: quarry focus demo`;

/** `quarry focus market` and `quarry focus demo`. */
export function registerFocusMarket(focus: Command): void {
  focus
    .command('demo')
    .option('--with-failures', 'also what goes wrong: a transfer that fails, too little, too late')
    .description('the whole way of a video on a market, in this process and without money')
    .action(runCommand(demo));
  const market = focus.command('market').description('buy and sell videos at a market').addHelpText('after', HELP);
  market
    .command('list')
    .option('--kind <kind>', 'user, boosted or marketplace', kind)
    .option('--least-score <share>', 'scored at least so, 0 to 1', share)
    .option('--most <tao>', 'for so much at most', rao)
    .description('what may be bought now')
    .action(runCommand(listVideos));
  withSendOptions(market.command('buy'))
    .argument('<id>', 'of the video, or how it begins')
    .option('--dry-run', 'only say what would happen: nothing is kept for you, and nothing spent')
    .description('buy a video')
    .action(runCommand(buy));
  market
    .command('purchases')
    .description('what was bought, the newest first: the receipts')
    .action(runCommand(purchases));
  market
    .command('fetch')
    .argument('<id>', 'of the purchase, or how it begins')
    .argument('[file]', 'to copy the video to')
    .description('go on with a purchase until its video is here')
    .action(runCommand(fetchVideo));
  market
    .command('revert')
    .argument('<id>', 'of the purchase, or how it begins')
    .description('give a video back that is kept for you, before it is paid')
    .action(runCommand(revert));
  market
    .command('drop')
    .argument('<id>', 'of the purchase, or how it begins')
    .description('forget a video that is kept for you and not paid, where the market does not take it back')
    .action(runCommand(drop));
  market.command('offers').description('what was offered, the newest first').action(runCommand(offers));
  market
    .command('offer')
    .argument('<recording>', 'or how its id begins')
    .option('--wish <tao>', 'the price, where the market’s would be more', rao)
    .option('--to <address>', 'who is paid (default: the wallet in trade.wallet)')
    .option('--note <text>', 'in the place of the recording’s description')
    .option('-y, --yes', 'send it without asking; what leaves is shown all the same')
    .description('offer a recording: what leaves this computer is shown first')
    .action(runCommand(offer));
  market
    .command('send')
    .argument('<id>', 'of the offer, or how it begins')
    .description('go on with an offer that rests')
    .action(runCommand(send));
  market
    .command('withdraw')
    .argument('<id>', 'of the offer, or how it begins')
    .description('take an offer back')
    .action(runCommand(withdraw));
  market
    .command('appeal')
    .argument('<id>', 'of the offer, or how it begins')
    .argument('<note>', 'what was overlooked')
    .description('have a person of the market look at what its model did not take')
    .action(runCommand(appeal));
  withSendOptions(market.command('pay-back'))
    .argument('<id>', 'of the offer, or how it begins')
    .description('give a buyer back what came too late')
    .action(runCommand(payBack));
  market.command('tasks').description('what the market wants recordings of').action(runCommand(wantedTasks));
  market
    .command('reviews')
    .description('what waits for a person of the market that this node serves')
    .action(runCommand(reviews));
  market
    .command('judge')
    .argument('<id>', 'of what waits, or how it begins')
    .option('--accept', 'it is for sale')
    .option('--score <share>', 'what it is worth, 0.1 to 1 (default: the score that it has)', share)
    .option('--refuse <reason>', 'it is not, and why: its seller reads it')
    .description('decide about what waits for a person')
    .action(runCommand(judge));
  market.command('status').description('the market, what may be spent, and what was earned').action(runCommand(status));
}

function kind(text: string): string {
  if (['user', 'boosted', 'marketplace'].includes(text)) return text;
  throw new InvalidArgumentError('It is user, boosted or marketplace.');
}

function share(text: string): number {
  const value = Number(text);
  if (text !== '' && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError('It is a number from 0 to 1.');
}

function rao(text: string): string {
  try {
    return String(raoOf(text));
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

const MARKS = { note: ' ', done: styleText('green', '✓'), failure: styleText('yellow', '!') };

async function demo(
  { output, signal, withNode }: CommandContext,
  { withFailures = false }: { withFailures?: boolean },
) {
  await withNode({}, async (node) => {
    for await (const step of await node.trade.demo({ withFailures }, { signal })) {
      output.document(step);
      output.line(`${MARKS[step.kind]} ${step.text}`);
    }
  });
}
