import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { OpenedBackup } from '../../src-preload/contract/backup.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { shortId } from '../../src-preload/contract/limits.ts';
import { say } from '../../src-preload/contract/saying.ts';
import { sizeText } from '../../src-preload/contract/sizes.ts';
import { DataDirLock } from '../app/host/data-dir-lock.ts';
import { showBackup } from '../backup/backup-header.ts';
import { decideRestore, discardStaged, finishRestore, isRestorePending } from '../backup/restore.ts';
import { readTextFile } from '../settings/config.ts';
import { secretInFile } from '../settings/secret-files.ts';
import { integer } from './terminal/arguments.ts';
import { type CommandContext, runCommand } from './terminal/command.ts';
import { counted, timeText } from './terminal/output.ts';
import { askPassword } from './terminal/password.ts';
import { Progress } from './terminal/progress.ts';

const PASSWORD_HELP = `
The password is asked for without an echo. For scripts: --password-fd 3 3< file, the variable
QUARRY_BACKUP_PASSWORD, the file that QUARRY_BACKUP_PASSWORD_FILE names, or one line on standard input.`;

/** `quarry backup`: this node's identity and books in one encrypted file, and back. */
export function registerBackup(program: Command): void {
  const backup = program
    .command('backup')
    .description('keep this node’s identity, credits and tier in one encrypted file, or get them back from one');
  backup
    .command('create')
    .argument('<file>', 'where to write it, best to another disk')
    .description(
      'back up this node, whether or not it runs: identity, ledger, conversations, results; no settings, no models',
    )
    .option('--overwrite', 'replace a file that is there')
    .option('--password-fd <n>', 'read the password from this file descriptor', integer(0, 1_000))
    .addHelpText(
      'after',
      `${PASSWORD_HELP}\nWithout the password nobody can open the file, and nobody can find it out for you.`,
    )
    .action(runCommand(create));
  backup
    .command('show')
    .argument('<file>')
    .description('which node a backup is of and from when, without its password')
    .action(runCommand(show));
  backup
    .command('restore')
    .argument('<file>')
    .description('become the node of a backup; what is in the data folder is kept aside')
    .option('--replace', 'even where a node with receipts is in the data folder')
    .option('--password-fd <n>', 'read the password from this file descriptor', integer(0, 1_000))
    .addHelpText(
      'after',
      `${PASSWORD_HELP}
Stop the node first (quarry stop), and never run two nodes with one identity: others take that for a
fraud, and both count as newcomers for thirty days. A restored node first asks others what it has done
since the backup, for one to ten minutes, and serves nobody until it knows.`,
    )
    .action(runCommand(restore));
}

interface PasswordFlags {
  passwordFd?: number;
}

async function create(
  { config, output, signal }: CommandContext,
  file: string,
  { overwrite = false, passwordFd }: PasswordFlags & { overwrite?: boolean },
): Promise<void> {
  const { createBackup } = await import('../backup/backup.ts');
  const { dataDir } = config;
  await finishBefore(dataDir);
  const password = await askPassword(source(passwordFd), { twice: true });
  const to = resolve(file);
  const bar = new Progress('backup', output);
  const onProgress = (step: { done: number; total: number }) => bar.show(step);
  const made = await createBackup({ dataDir, to, password, overwrite }, { signal, onProgress }).finally(() =>
    bar.end(),
  );
  output.document({ file: to, ...made });
  output.line(`✓ Node ${shortId(made.node)} is in ${to}: ${sizeText(made.bytes)}, ${booksText(made)}.`);
  output.line('Keep it on another disk, and the password somewhere else.');
}

async function show({ output }: CommandContext, file: string): Promise<void> {
  const found = showBackup(resolve(file));
  output.document(found);
  output.line(`Node ${shortId(found.node)}`);
  output.line(`backed up ${timeText(found.createdAt)} by Quarry ${found.version}, ${sizeText(found.bytes)}`);
}

async function restore(
  { config, output, signal }: CommandContext,
  file: string,
  { replace = false, passwordFd }: PasswordFlags & { replace?: boolean },
): Promise<void> {
  const { stageBackup } = await import('../backup/backup.ts');
  const { dataDir } = config;
  const from = resolve(file);
  showBackup(from); // what is no backup needs no password
  const lock = new DataDirLock(dataDir);
  await lock.open();
  try {
    await finishRestore(dataDir);
    const password = await askPassword(source(passwordFd), { twice: false });
    const bar = new Progress('restore', output);
    const onProgress = (step: { done: number; total: number }) => bar.show(step);
    const opened = await stageBackup({ dataDir, from, password }, { signal, onProgress }).finally(() => bar.end());
    await allow(opened, replace, dataDir);
    await decideRestore(dataDir, Date.now());
    const aside = await finishRestore(dataDir);
    output.document({ ...opened, aside: opened.here ? aside : undefined });
    output.line(`✓ This is node ${shortId(opened.backup.node)} now: ${booksText(opened.backup)}.`);
    if (opened.here) output.line(`What was here is in ${aside}.`);
    output.line('Start it with: quarry start. Never start the old one again beside it.');
  } finally {
    await lock.close();
  }
}

/** @throws BAD_REQUEST where a node with receipts would be replaced that nobody said may be */
async function allow({ here }: OpenedBackup, replace: boolean, dataDir: string): Promise<void> {
  if (!here || here.receipts === 0 || replace) return;
  await discardStaged(dataDir);
  const { node, receipts, points } = here;
  throw new QuarryError({
    code: 'BAD_REQUEST',
    message: say('backup.hasBooks', { node: shortId(node), receipts, points }),
    hint: say('backup.allowReplace'),
    field: 'replace',
  });
}

/** A restore that a killed process left half done comes first. */
async function finishBefore(dataDir: string): Promise<void> {
  if (!(await isRestorePending(dataDir))) return;
  const lock = new DataDirLock(dataDir);
  await lock.open();
  await finishRestore(dataDir);
  await lock.close();
}

const source = (fd: number | undefined) => ({
  fd,
  environment: process.env.QUARRY_BACKUP_PASSWORD || passwordInFile(),
  of: 'the backup',
  how: say('backup.passwordHow'),
});
const passwordInFile = () =>
  secretInFile('QUARRY_BACKUP_PASSWORD', { env: process.env, cwd: process.cwd(), readFile: readTextFile });
const booksText = ({ receipts, points }: { receipts: number; points: number }) =>
  `${counted(receipts, 'receipt')}, ${counted(points, 'point')}`;
