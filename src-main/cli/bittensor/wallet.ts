import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { Draft } from '../../bittensor/wallet/key-drafts.ts';
import type { KeySource } from '../../bittensor/wallet/key-tasks.ts';
import type { KeyName } from '../../bittensor/wallet/wallets.ts';
import { askLine } from '../terminal/ask-line.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { fileTrouble } from '../terminal/file-trouble.ts';
import { askHidden, askPassword } from '../terminal/password.ts';
import { withChainOptions } from './chain-node.ts';
import { openWallets, type PasswordFlags, passwordFor, passwordOf, withPassword } from './keys.ts';
import { listWallets } from './wallet-list.ts';

/** Words of BIP-39 have no more letters. */
const LONGEST_WORD = 8;
const WORDS_IN_ROW = 4;

interface CreateFlags extends PasswordFlags {
  words: '12' | '24';
  encrypt?: boolean;
  check: boolean;
}

interface PublicFlags extends PasswordFlags {
  address?: string;
}

interface ImportFlags extends PasswordFlags {
  seed?: boolean;
  jsonFile?: string;
  encrypt?: boolean;
}

/** `quarry wallet`: keys of Bittensor, in the files that its own programs read and write. */
export function registerWallet(program: Command): void {
  const wallet = program
    .command('wallet')
    .description('wallets of Bittensor: the files that its own programs use, too');
  withChainOptions(wallet.command('list', { isDefault: true }))
    .option('--balances', 'ask the chain what each coldkey has and what is staked on each hotkey, too')
    .description('the wallets of this computer with their addresses; wants no password')
    .action(runCommand(listWallets));
  const create = keyCommand(
    wallet,
    'create',
    'make a coldkey, or a hotkey of a wallet; shows its words once, and asks for three of them',
  );
  create
    .addOption(new Option('--words <n>', 'how many words it has').choices(['12', '24']).default('12'))
    .option('--encrypt', 'give a hotkey a password, too; a coldkey always has one')
    .option('--no-check', 'do not ask for the words again')
    .action(runCommand(make));
  const bring = keyCommand(
    wallet,
    'import',
    'bring a key: its words, unless an option says otherwise; they are asked for without an echo',
  );
  bring
    .option('--seed', 'ask for its seed instead: 0x and 64 digits')
    .addOption(
      new Option('--json-file <file>', 'an account that Polkadot.js exported, whose password is asked for').conflicts(
        'seed',
      ),
    )
    .option('--encrypt', 'give a hotkey a password, too; a coldkey always has one')
    .action(runCommand(bringKey));
  named(wallet.command('show'))
    .description('the address and public key of a key; with --json the contents of its public file')
    .action(runCommand(show));
  keyCommand(wallet, 'public', 'write the public file of a key (coldkeypub.txt) where it is missing; replaces no file')
    .option('--address <address>', 'of a key that is on another computer: it is watched here, and signs nothing')
    .action(runCommand(writePublic));
  withPassword(
    wallet.command('sign').argument('<wallet>').argument('<text>', 'what people read; no transaction is signed'),
  )
    .option('--hotkey <name>', 'sign with this hotkey of the wallet (default: its coldkey)')
    .description('sign a text, as a proof that a key is yours')
    .action(runCommand(sign));
  wallet
    .command('verify')
    .argument('<address>')
    .argument('<signature>')
    .argument('<text>')
    .description('whether a text was signed by the key of an address; the exit code is 1 where it was not')
    .action(runCommand(verify));
  keyCommand(wallet, 'password', 'give a key another password, or a first one').action(runCommand(changePassword));
}

function keyCommand(wallet: Command, name: string, description: string): Command {
  return withPassword(named(wallet.command(name).description(description)));
}

const named = (command: Command) =>
  command.argument('<wallet>').argument('[hotkey]', 'the name of a hotkey (default: the coldkey)');

async function make(
  context: CommandContext,
  wallet: string,
  hotkey: string | undefined,
  flags: CreateFlags,
): Promise<void> {
  const { output } = context;
  await keep(
    context,
    { wallet, hotkey },
    { from: 'new', words: Number(flags.words) as 12 | 24 },
    flags,
    async (draft) => {
      const { phrase = '' } = draft;
      const words = phrase.split(' ');
      output.line(`${process.stdout.isTTY ? numbered(words) : phrase}\n`);
      output.note(
        'Write these words down on paper, in this order. Whoever has them has the key; without them a lost file is lost.',
      );
      if (flags.check && process.stdin.isTTY) for (const at of draft.ask) await askWord(words, at);
      return draft.ask.map((at) => words[at - 1] ?? '');
    },
  );
}

async function bringKey(
  context: CommandContext,
  wallet: string,
  hotkey: string | undefined,
  flags: ImportFlags,
): Promise<void> {
  await keep(context, { wallet, hotkey }, await sourceOf(flags), flags, async () => []);
}

async function sourceOf({ seed, jsonFile }: ImportFlags): Promise<KeySource> {
  if (seed) return { from: 'seed', seed: await askHidden('Seed: ') };
  if (jsonFile === undefined) return { from: 'phrase', phrase: await askHidden('Words: ') };
  const json = await readFile(jsonFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new QuarryError({
      code: 'BAD_REQUEST',
      message: fileTrouble(jsonFile, error),
      hint: 'Look at the path: it is the file that Polkadot.js has saved.',
      field: 'jsonFile',
    });
  });
  return { from: 'json', json, password: await askHidden('Password of the exported account: ') };
}

/** Drafts a key, has its words told, asks for a password where it wants one, and writes it. */
async function keep(
  { config, output }: CommandContext,
  name: KeyName,
  source: KeySource,
  { encrypt = false, passwordFd }: PasswordFlags & { encrypt?: boolean },
  tell: (draft: Draft) => Promise<string[]>,
): Promise<void> {
  const wallets = await openWallets(config);
  await wallets.refuseExisting(name);
  try {
    const draft = await wallets.draft(source);
    const told = await tell(draft);
    const wanted = encrypt || name.hotkey === undefined;
    const password = wanted ? await askPassword(passwordOf(wallets, name, passwordFd), { twice: true }) : null;
    const kept = await wallets.keep(draft.id, { ...name, password, told });
    output.document({ ...kept, phrase: draft.phrase });
    output.line(`✓ ${titleOf(name)}: ${kept.address} in ${kept.file}`);
  } finally {
    await wallets.close();
  }
}

/** Asks for a word until it is told. @param at its place, from 1 on */
async function askWord(words: readonly string[], at: number): Promise<void> {
  while ((await askLine(`Word ${at}: `)).toLowerCase() !== words[at - 1]) {
    process.stderr.write(`This is not word ${at}. Compare what you have written down.\n`);
  }
}

/** Words with their numbers, by which they are asked for again. */
function numbered(words: readonly string[]): string {
  const cells = words.map((word, at) => `${String(at + 1).padStart(2)} ${word.padEnd(LONGEST_WORD)}`);
  const rows = Array.from({ length: words.length / WORDS_IN_ROW }, (_, row) =>
    cells.slice(row * WORDS_IN_ROW, (row + 1) * WORDS_IN_ROW).join('  '),
  );
  return rows.join('\n');
}

async function show({ config, output }: CommandContext, wallet: string, hotkey: string | undefined): Promise<void> {
  const wallets = await openWallets(config);
  const part = await wallets.publicPart({ wallet, hotkey });
  output.document(part);
  output.line(part.ss58Address);
  output.line(part.publicKey);
}

async function writePublic(
  { config, output }: CommandContext,
  wallet: string,
  hotkey: string | undefined,
  { address, passwordFd }: PublicFlags,
): Promise<void> {
  const wallets = await openWallets(config);
  const name = { wallet, hotkey };
  const by = address === undefined ? { password: await passwordFor(wallets, name, passwordFd) } : { address };
  const part = await wallets.writePublic(name, by);
  output.document(part);
  output.line(`✓ ${titleOf(name)}: ${part.ss58Address} in ${wallets.filesOf(name).publicFile}`);
}

async function sign(
  { config, output }: CommandContext,
  wallet: string,
  text: string,
  { hotkey, passwordFd }: PasswordFlags & { hotkey?: string },
): Promise<void> {
  const { refuseToSign } = await import('../../bittensor/wallet/wallets.ts');
  refuseToSign(text); // before a password is asked for
  const wallets = await openWallets(config);
  const name = { wallet, hotkey };
  const signed = await wallets.signText(name, await passwordFor(wallets, name, passwordFd), text);
  output.document({ ...signed, text });
  output.line(signed.signature);
}

async function verify({ output }: CommandContext, address: string, signature: string, text: string): Promise<void> {
  const { verifyText } = await import('../../bittensor/wallet/wallets.ts');
  const valid = await verifyText(text, signature, address);
  output.document({ valid });
  output.line(
    valid
      ? '✓ This text was signed by the key of this address.'
      : '✗ This text was not signed by the key of this address.',
  );
  if (!valid) process.exitCode = 1;
}

async function changePassword(
  { config, output }: CommandContext,
  wallet: string,
  hotkey: string | undefined,
  { passwordFd }: PasswordFlags,
): Promise<void> {
  const wallets = await openWallets(config);
  const name = { wallet, hotkey };
  const from = await passwordFor(wallets, name, passwordFd);
  const to = await askPassword({ ...passwordOf(wallets, name), environment: undefined }, { twice: true });
  await wallets.changePassword(name, { from, to });
  output.document({ changed: true });
  output.line(`✓ ${titleOf(name)} has a new password.`);
}

const titleOf = ({ wallet, hotkey }: KeyName) =>
  hotkey === undefined ? `Wallet ${wallet}` : `Hotkey ${hotkey} of ${wallet}`;
