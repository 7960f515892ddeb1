import { isIP } from 'node:net';
import { styleText } from 'node:util';
import type { Command } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { foreignLine } from '../../base/foreign-text.ts';
import type { AxonAnswer, AxonPlace, CallOptions, Dendrite } from '../../bittensor/dendrite/dendrite.ts';
import type { Config } from '../../settings/config.ts';
import { integer, number } from '../terminal/arguments.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { durationText, type Output } from '../terminal/output.ts';
import { addSamplingOptions, type SamplingFlags } from '../terminal/sampling-options.ts';
import { openWallets, type PasswordFlags, passwordFor, withPassword } from './keys.ts';

const HELP = `
Which axon: «me» for this node's own, HOTKEY@IP:PORT, or a hotkey alone (5…) that is looked up on the
subnet. The question is signed with a hotkey of yours; the axon decides whom it answers. The exit code
is 1 for every status but 200.`;

/** What an axon means by a status, where its own words may not say it. */
const MEANING: Readonly<Record<number, string>> = {
  400: 'It does not take the question like that.',
  401: 'It does not believe the signature: is the clock right, and the hotkey before the @ the axon’s own?',
  403: 'It answers others only: is your hotkey registered on its subnet?',
  404: 'It does not answer prompts of this kind. Some axons have only one of the two: try it with --whole, or without.',
  408: 'It took too long: --timeout gives it more time.',
  422: 'It wants other fields, or answers with others.',
  429: 'Too many questions. Wait a minute.',
  500: 'Something failed there.',
  503: 'It is busy or closed, or no way leads there.',
};

interface AskFlags extends SamplingFlags, PasswordFlags {
  wallet?: string;
  hotkey?: string;
  netuid?: number;
  model?: string;
  system?: string;
  timeout: number;
  whole?: boolean;
}

/** `quarry axon ask`: one prompt to one axon, as a validator would ask it. */
export function registerAxonAsk(axon: Command): void {
  const command = axon
    .command('ask')
    .argument('<axon>', '«me», HOTKEY@IP:PORT, or HOTKEY on the subnet')
    .argument('<text>', 'what to ask')
    .description('ask an axon as a validator does: signed, and streamed to the terminal')
    .option('--wallet <name>', 'the wallet whose hotkey asks (default: the setting axon.wallet)')
    .option('--hotkey <name>', 'the hotkey that asks (default: the setting axon.hotkey)')
    .option('--netuid <n>', 'the subnet of the axon (default: the setting axon.netuid)', integer(0, 65_535))
    .option('--model <name>', 'the model that is wanted (default: whichever is there)')
    .option('--system <text>', 'instructions that stand before the question')
    .option('--whole', 'ask for the answer in one piece (Prompting instead of StreamPrompting)')
    .option('--timeout <seconds>', 'give up after this long', number(1, 600), 60);
  addSamplingOptions(command).addHelpText('after', HELP);
  withPassword(command).action(
    runCommand((context, where: string, text: string, flags: AskFlags) => ask(context, where, text, flags)),
  );
}

interface Told {
  text: string;
  answer: AxonAnswer<unknown>;
}

async function ask(context: CommandContext, where: string, text: string, flags: AskFlags): Promise<void> {
  const { config, output, signal } = context;
  const { place, isChosen } = await placeOf(context, where, flags.netuid ?? config.axon.netuid);
  const signer = await openSigner(config, flags);
  try {
    const { Dendrite } = await import('../../bittensor/dendrite/dendrite.ts');
    // Whoever registers an axon chooses its address: only one that was typed here may be of this network.
    const dendrite = new Dendrite({ signer, allowInside: isChosen });
    const asking = flags.whole ? askWhole : askStreamed;
    const told = await asking(dendrite, place, fieldsOf(text, flags), { timeout: flags.timeout, signal }, output);
    dendrite.close();
    tell(place, told, output);
  } finally {
    await signer.close();
  }
}

type Asking = (
  dendrite: Dendrite,
  place: AxonPlace,
  fields: object,
  options: CallOptions,
  output: Output,
) => Promise<Told>;

const askWhole: Asking = async (dendrite, place, fields, options, output) => {
  const { PROMPTING } = await import('../../bittensor/synapse/prompting.ts');
  const answer = await dendrite.call(place, PROMPTING, PROMPTING.fields.parse(fields), options);
  const text = answer.fields?.completion ?? '';
  output.write(text);
  return { text, answer };
};

const askStreamed: Asking = async (dendrite, place, fields, options, output) => {
  const { STREAM_PROMPTING } = await import('../../bittensor/synapse/prompting.ts');
  const stream = dendrite.stream(place, STREAM_PROMPTING, STREAM_PROMPTING.fields.parse(fields), options);
  const decoder = new TextDecoder();
  let text = '';
  let next = await stream.next();
  for (; !next.done; next = await stream.next()) {
    const piece = decoder.decode(next.value, { stream: true });
    text += piece;
    output.write(piece);
  }
  return { text, answer: next.value };
};

function tell(axon: AxonPlace, { text, answer }: Told, output: Output): void {
  const { status, message, processTime } = answer;
  output.document({ axon, status, message, seconds: processTime, text });
  if (text !== '') output.write('\n');
  if (status === 200) {
    output.note(styleText('dim', `200 in ${durationText(processTime * 1_000)}`));
    return;
  }
  process.exitCode = 1;
  output.note(`${styleText('red', String(status))} ${foreignLine(message)}`);
  const meaning = MEANING[status];
  if (meaning !== undefined) output.note(styleText('dim', meaning));
}

/** The hotkey that asks, open. @throws BAD_REQUEST, UNAUTHORIZED with the field `password` */
async function openSigner(config: Config, flags: AskFlags) {
  const { wallet = config.axon.wallet, hotkey = config.axon.hotkey, passwordFd } = flags;
  if (wallet === undefined) {
    throw new QuarryError({
      code: 'BAD_REQUEST',
      message: 'Which hotkey is to ask?',
      hint: 'Name its wallet with --wallet, or set axon.wallet. Make one with: quarry wallet create main',
      field: 'wallet',
    });
  }
  const wallets = await openWallets(config);
  const name = { wallet, hotkey };
  return wallets.openHotkey(name, await passwordFor(wallets, name, passwordFd));
}

function fieldsOf(text: string, { system, model = '', maxTokens = 0, temperature, seed }: AskFlags) {
  const roles = [...(system ? ['system'] : []), 'user'];
  const messages = [...(system ? [system] : []), text];
  return { roles, messages, model, max_tokens: maxTokens, temperature: temperature ?? null, seed: seed ?? null };
}

/** @returns `isChosen`: whoever types the command has named the address, and not whoever registered the axon */
async function placeOf(
  context: CommandContext,
  where: string,
  netuid: number | undefined,
): Promise<{ place: AxonPlace; isChosen: boolean }> {
  if (where === 'me') return { place: await ownPlace(context), isChosen: true };
  const [, hotkey = '', ip = '', port = ''] = /^(5\w{46,47})(?:@\[?([\da-fA-F.:]+?)\]?:(\d{1,5}))?$/.exec(where) ?? [];
  if (hotkey === '' || (ip !== '' && (isIP(ip) === 0 || Number(port) > 65_535))) throw notAnAxon();
  if (ip !== '') return { place: { hotkey, ip, port: Number(port) }, isChosen: true };
  return { place: await placeOnChain(context, hotkey, netuid), isChosen: false };
}

async function ownPlace({ withNode }: CommandContext): Promise<AxonPlace> {
  const { hotkey, port } = await withNode({}, ({ axon }) => axon.state());
  if (hotkey && port !== null) return { ip: '127.0.0.1', port, hotkey: hotkey.address };
  const hint = 'Open it with: quarry axon start';
  throw new QuarryError({ code: 'NOT_RUNNING', message: say('bittensor.axon.notOpen'), hint });
}

/** @throws BAD_REQUEST without a subnet, or where it knows no such axon */
async function placeOnChain(
  { withNode }: CommandContext,
  hotkey: string,
  netuid: number | undefined,
): Promise<AxonPlace> {
  if (netuid === undefined) {
    const message = 'On which subnet is this axon?';
    throw new QuarryError({ code: 'BAD_REQUEST', message, hint: 'Name it with --netuid, or set axon.netuid.' });
  }
  const subnet = await withNode({}, ({ chain }) => chain.subnet({ netuid }));
  const { axon = null } = subnet?.rows.find((neuron) => neuron.hotkey === hotkey) ?? {};
  if (axon === null) {
    const message = `Subnet ${netuid} has no axon of this hotkey.`;
    throw new QuarryError({ code: 'BAD_REQUEST', message, hint: 'If you know its address: HOTKEY@IP:PORT' });
  }
  return { hotkey, ...axon };
}

function notAnAxon(): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: 'This names no axon.',
    hint: 'Say «me», a hotkey (5…), or hotkey and address: 5HDvhV6W…@203.0.113.9:8091',
    field: 'axon',
  });
}
