import { flushCompileCache } from 'node:module';
import { AuditLog } from '../../src-main/bittensor/signer-service/audit-log.ts';
import { report } from './report.ts';

/*
 * An audit log that is written until its process is killed: `node signer-audit-child.ts FILE ROUND`. Files are full after a few lines. What is on the
 * disk is reported on standard output.
 */

flushCompileCache(); // who is killed does not do it at the end

const [path = '', round = '0'] = process.argv.slice(2);
const log = new AuditLog(path, { mostBytes: 600 });
await log.open();
await report({ opened: round });
for (let request = 0; ; request++) {
  await log.append({ event: 'sign', outcome: 'asked', request: `${round}.${request}` });
  await report({ kept: `${round}.${request}` });
}
