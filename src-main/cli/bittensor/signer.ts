import { once } from 'node:events';
import { styleText } from 'node:util';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { dataPath } from '../../base/data-folder.ts';
import { terminalJson } from '../../base/foreign-text.ts';
import type { AuditLine } from '../../bittensor/signer-service/audit-reading.ts';
import { integer } from '../terminal/arguments.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { type ChainFlags, withChainOptions } from './chain-node.ts';
import { type KeyFlags, netuidArgument } from './key-choice.ts';
import { openWallets, type PasswordFlags, passwordFor, withPassword } from './keys.ts';

const HELP = `
A validator whose hotkey lies on another computer, or under another account, has its results signed and its
weights set here. What is signed are results alone, and weights of the subnets that are named. Callers bring
the token that lies in the data folder (signer.token); what they ask stands in signer-audit.jsonl before it is
done. It has a data folder of its own: --data.

  POST /sign         { payloads: […] }                       POST /set_weights  { netuid, uids: […], weights: […] }
  GET  /pubkey       the address of the hotkey               GET  /healthz      without the token`;

interface SignerFlags extends KeyFlags, PasswordFlags, ChainFlags {
  netuid?: number[];
  listen: Listening;
  allowRemote?: boolean;
}

interface Listening {
  host: string;
  port: number;
}

const USUAL: Listening = { host: '127.0.0.1', port: 8_092 };

/** `quarry validator signer`, and its audit log. */
export function registerSigner(validator: Command): void {
  const signer = validator
    .command('signer')
    .description('hold a hotkey, and sign and set weights with it for validators that bring its token')
    .option('--wallet <name>', 'the wallet of the hotkey (default: validator.wallet)')
    .option('--hotkey <name>', 'the hotkey (default: validator.hotkey, which is «default»)')
    .option('--netuid <n>', 'a subnet for which weights may be set; may be given several times', netuids)
    .addOption(listenOption())
    .option('--allow-remote', 'let --listen be an address that others can reach; wants TLS (tlsCert, tlsKey)')
    .addHelpText('after', HELP);
  withPassword(withChainOptions(signer)).action(runCommand(run));
  signer
    .command('audit')
    .description('what the signer was asked and did, and whether a line of that was changed')
    .option('--last <n>', 'the last lines alone; all are checked', integer(1), 50)
    .action(runCommand(audit));
}

/** Its default is told once, as it is typed. */
const listenOption = () =>
  new Option('--listen <host:port>', 'where callers find it')
    .argParser(listening)
    .default(USUAL, `${USUAL.host}:${USUAL.port}`);

const netuids = (text: string, previous: number[] = []) => [...previous, netuidArgument(text)];

function listening(text: string): Listening {
  const url = URL.parse(`http://${text}`);
  const port = Number(/:(\d{1,5})$/.exec(text)?.[1] ?? Number.NaN);
  if (url?.pathname === '/' && !url.username && port <= 65_535) {
    return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port };
  }
  throw new InvalidArgumentError('An address and a port are wanted, as 127.0.0.1:8092.');
}

async function run({ config, output, signal }: CommandContext, flags: SignerFlags): Promise<void> {
  const { netuid: netuids = [], listen, passwordFd, allowRemote = false } = flags;
  const key = keyOf(flags, config.validator);
  const wallets = await openWallets(config);
  try {
    const password = await passwordFor(wallets, key, passwordFd);
    // A chain and its keys: other commands start much sooner without.
    const { openSigner } = await import('../../app/signer/signer.ts');
    await using signer = await openSigner({ config, wallets, key, password, netuids, ...listen, allowRemote });
    const { url, hotkey, tokenFile, auditFile } = signer;
    output.document({ url, hotkey, netuids, tokenFile, auditFile });
    output.line(`Signing for ${hotkey} at ${url}`);
    output.line(
      netuids.length > 0
        ? `  weights of subnet ${netuids.join(', ')}`
        : '  no weights: no subnet was named by --netuid',
    );
    output.line(`  the token is in ${tokenFile}`);
    output.line(`  what was asked: quarry validator signer audit, or ${auditFile}`);
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    await wallets.close();
  }
}

/** @throws BAD_REQUEST where nothing says whose hotkey it is */
function keyOf({ wallet, hotkey }: KeyFlags, set: { wallet?: string | undefined; hotkey: string }) {
  const name = wallet ?? set.wallet;
  if (name !== undefined) return { wallet: name, hotkey: hotkey ?? set.hotkey };
  throw new QuarryError({
    code: 'BAD_REQUEST',
    message: 'Nothing says whose hotkey signs.',
    hint: 'Say it: --wallet main --hotkey default',
    field: 'wallet',
  });
}

/** Faults that are told: a file that is no log has one a line. */
const MOST_FAULTS = 100;

interface ToldFault {
  file: string;
  line: number;
  fault: NonNullable<AuditLine['fault']>;
  missing?: AuditLine['missing'];
}

async function audit({ config, output }: CommandContext, { last }: { last: number }): Promise<void> {
  const path = dataPath(config.dataDir, 'signerAudit');
  const { readAudit } = await import('../../bittensor/signer-service/audit-reading.ts');
  const shown: string[] = [];
  const faults: ToldFault[] = [];
  const files = new Set<string>();
  let [lines, faulty] = [0, 0];
  let hash: string | undefined;
  for await (const line of readAudit(path)) {
    const { file, number, entry, fault, missing } = line;
    files.add(file);
    hash = line.hash;
    lines++;
    if (fault && ++faulty <= MOST_FAULTS) faults.push({ file, line: number, fault, ...(missing && { missing }) });
    shown.push(`${placeOf(file, number, path)} ${entry ? terminalJson(entry) : '– half a line: the power went –'}`);
    if (shown.length > last) shown.shift();
  }
  output.document({ path, files: files.size, lines, hash, faulty, faults });
  if (hash === undefined) return output.line(`There is no audit log in ${path}.`);
  for (const line of shown) output.line(line);
  for (const fault of faults) output.note(`${styleText('red', '✗')} ${faultText(fault, path)}`);
  if (faulty > faults.length) output.note(`  and ${faulty - faults.length} more`);
  if (faulty > 0) process.exitCode = 1;
  else {
    const where = files.size > 1 ? ` in ${files.size} files` : '';
    output.line(`✓ ${lines} lines${where}, each as it was written after the one before.`);
  }
  output.line(`  hash of the last: ${hash}`);
}

/** Lines of the file that is being written have their number alone. */
const placeOf = (file: string, line: number, path: string) => (path.endsWith(file) ? `${line}` : `${file}:${line}`);

function faultText({ file, line, fault, missing }: ToldFault, path: string): string {
  if (missing) return missingText(missing);
  const place = path.endsWith(file) ? `line ${line}` : `${file}, line ${line}`;
  return `${place}: ${FAULTS[fault]}`;
}

function missingText({ from, to, hash }: NonNullable<AuditLine['missing']>): string {
  const which = from === to ? `${to} is` : `${from} to ${to} are`;
  return `${which} missing: the last line there has the hash ${hash ?? '(unknown)'}.`;
}

const FAULTS: Record<NonNullable<AuditLine['fault']>, string> = {
  changed: 'something before it was changed, added or taken out.',
  unreadable: 'it is no line of a log.',
  missing: 'files before it are missing.',
};
