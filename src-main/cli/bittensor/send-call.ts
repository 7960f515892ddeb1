import type { Command } from 'commander';
import type { ChainAction, ChainDraft, SentCall } from '../../../src-preload/contract/chain.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { namedError } from '../../client/named-error.ts';
import { askLine } from '../terminal/ask-line.ts';
import type { CommandContext } from '../terminal/command.ts';
import { interrupted } from '../terminal/interruption.ts';
import type { NodeClient } from '../terminal/node-client.ts';
import { errorText } from '../terminal/output.ts';
import { askPassword, isTyped } from '../terminal/password.ts';
import { Remark } from '../terminal/progress.ts';
import { tao } from './amounts.ts';
import { draftText } from './draft-text.ts';
import { openWallets, type PasswordFlags, passwordOf, withPassword } from './keys.ts';

/** Options of every command that sends something. */
export interface SendFlags extends PasswordFlags {
  yes?: boolean;
  typed?: string;
}

const HELP = `
Before anything is sent it is shown: how much, to whom, the fee and what is left; then it is asked for. What
should not happen by mistake has to be typed. In a script, --yes says yes and --typed what has to be typed.`;

export const withSendOptions = (command: Command): Command =>
  withPassword(command)
    .option('-y, --yes', 'send it without asking; it is shown all the same')
    .option('--typed <text>', 'with --yes: what would have to be typed')
    .addHelpText('after', HELP);

/** How often a password is asked for before the draft is given up. */
const PASSWORD_TRIES = 3;

const MAY_COME =
  'It is signed, and whoever has it can hand it in for a quarter of an hour. What comes of it: quarry chain calls';

type Context = Pick<CommandContext, 'output' | 'signal'>;

/**
 * Shows what an action would be, asks whether it is meant, sends it and waits for what comes of it.
 * @throws CANCELLED where it is not meant; CHAIN_REFUSED for what the chain refuses, before or in a block
 */
export async function sendCall(
  context: Context,
  node: NodeClient,
  action: ChainAction,
  flags: SendFlags,
): Promise<void> {
  await sendDraft(context, node, await node.chain.draft(action), flags);
}

/** Where a draft is sent, once somebody said yes. Default: the desk of the chain. */
type Send = (
  input: { id: string; password: string | null; typed?: string },
  signal: AbortSignal,
) => Promise<AsyncIterable<SentCall>>;

/** The same for something that was drafted already. @throws as {@link sendCall} */
export async function sendDraft(
  context: Context,
  node: NodeClient,
  draft: ChainDraft,
  flags: SendFlags,
  send: Send = (input, signal) => node.chain.send(input, { signal }),
): Promise<void> {
  const { output } = context;
  const { network } = await node.chain.state();
  const text = draftText(draft, network);
  if (output.json) output.note(text);
  else output.line(text);
  const typed = flags.yes ? told(draft, flags) : await confirmed(draft, output.json);
  const call = await signed(context, { node, send }, draft, flags, {
    id: draft.id,
    ...(typed !== undefined && { typed }),
  });
  output.document({ draft, call });
  if (call.state !== 'done') throw unfinished(call);
  output.line(`✓ Done, in block ${call.block}. ${costText(call)}`);
  output.line(`  ${call.hash}`);
}

/** What a call moved, and its fee; most calls of a hotkey cost nothing. */
function costText({ moves, fee }: Pick<SentCall, 'moves' | 'fee'>): string {
  const said = [moves !== '0' && `It moved ${tao(moves)} TAO.`, fee !== '0' && `The fee was ${tao(fee)} TAO.`];
  return said.filter(Boolean).join(' ') || 'It cost nothing.';
}

/** What a script says in the place of whoever would type it. @throws BAD_REQUEST where that is missing, or something else */
function told({ typed: wanted }: ChainDraft, { typed }: SendFlags): string | undefined {
  if (wanted === undefined || typed === wanted) return typed;
  throw new QuarryError({
    code: 'BAD_REQUEST',
    message: 'Nothing was sent: this wants more than a yes.',
    hint: `Say what has to be typed: --typed ${wanted}`,
    field: 'typed',
  });
}

/** Asks whether a draft is meant. @returns what was typed for it @throws CANCELLED where it is not */
async function confirmed({ typed }: ChainDraft, json: boolean): Promise<string | undefined> {
  if (json || !process.stdin.isTTY) {
    throw new QuarryError({
      code: 'BAD_REQUEST',
      message: 'Nothing was sent: nobody is there to say yes.',
      hint: `In a script, add --yes${typed === undefined ? '' : ` --typed ${typed}`}.`,
      field: 'yes',
    });
  }
  const answer = await askLine(typed === undefined ? 'Send this? [y/N] ' : `To send this, type ${typed}: `);
  if (typed === undefined ? /^y(es)?$/i.test(answer) : answer === typed) return typed && answer;
  throw new QuarryError({ code: 'CANCELLED', message: 'Nothing was sent.' });
}

/** Sends a draft with the password of who signs, which may be mistyped twice. */
async function signed(
  context: Context,
  { node, send }: { node: NodeClient; send: Send },
  draft: ChainDraft,
  { passwordFd }: PasswordFlags,
  input: { id: string; typed?: string },
): Promise<SentCall> {
  if (draft.sealing === 'plain') return followed(context, send, { ...input, password: null });
  const source = await passwordSource(node, draft, passwordFd);
  for (let left = PASSWORD_TRIES; ; left--) {
    const password = await askPassword(source, { twice: false });
    try {
      return await followed(context, send, { ...input, password });
    } catch (thrown) {
      const error = namedError(thrown);
      if (left === 1 || error.code !== 'UNAUTHORIZED' || !isTyped(source)) throw error;
      context.output.note(errorText(error));
    }
  }
}

async function passwordSource(node: NodeClient, { action, signedBy }: ChainDraft, fd: number | undefined) {
  const hotkey = signedBy === 'hotkey' && 'hotkey' in action ? action.hotkey : undefined;
  const { folder: walletFolder } = await node.wallet.list();
  const wallets = await openWallets({ bittensor: { walletFolder } });
  return passwordOf(wallets, { wallet: action.wallet, hotkey }, fd);
}

/** Sends a draft, and shows how that goes. @throws CANCELLED by Ctrl+C, which does not stop the call */
async function followed(
  { output, signal }: Context,
  send: Send,
  input: { id: string; password: string | null; typed?: string },
): Promise<SentCall> {
  const remark = new Remark(output);
  remark.show('Signing…');
  let last: SentCall | undefined;
  const leave = () => {
    if (last?.state === 'waiting') output.note('The call goes on by itself. What comes of it: quarry chain calls');
  };
  signal.addEventListener('abort', leave, { once: true });
  try {
    for await (const call of await send(input, signal)) {
      last = call;
      if (call.refusal) return call; // only the blocks tell more, and not before its signature no longer counts
      remark.show('Sent. A block that nothing can undo takes half a minute as a rule…');
    }
  } finally {
    remark.end();
    signal.removeEventListener('abort', leave);
  }
  if (!last || last.state === 'waiting') throw interrupted();
  return last;
}

function unfinished({ state, error, refusal }: SentCall): QuarryError {
  if (error && state === 'failed') return new QuarryError(error);
  if (refusal) return new QuarryError({ ...refusal, hint: MAY_COME });
  const expired = 'The chain did not take this in while its signature counted. Nothing happened.';
  const unknown = 'The chain could not be asked what became of this. It may have happened: look before you repeat it.';
  const hint = error?.hint; // another endpoint may still know
  return new QuarryError({ code: 'DEADLINE', message: state === 'expired' ? expired : unknown, ...(hint && { hint }) });
}
