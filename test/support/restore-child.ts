import { decideRestore, finishRestore } from '../../src-main/backup/restore.ts';

/** Puts what was unpacked in a data folder into its place; to be killed at any moment. Arguments: folder, Unix milliseconds. */
const [dataDir = '', at = '0'] = process.argv.slice(2);
process.stdout.write('begun\n');
await decideRestore(dataDir, Number(at));
await finishRestore(dataDir);
process.stdout.write('done\n');
