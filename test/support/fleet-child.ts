import { flushCompileCache } from 'node:module';
import { identityFromSeed } from '../../src-main/mesh/transport/identity.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import { PairedNodeStore } from '../../src-main/store/mesh/paired-nodes.ts';
import { openFleetNode } from './fleet-node.ts';
import { report } from './report.ts';

/*
 * A node that pairs until it is killed: `node fleet-child.ts PORT DATABASE SEED STEP [CODE]`. Without a code it shows one and reports it. When it keeps
 * the pairing it reports the step that it has come to, `before` or `after` it was written, and stands still.
 */

const [port = '', database = '', seed = '', step = '', code] = process.argv.slice(2);
flushCompileCache(); // who is killed does not do it at the end

class StandingStill extends PairedNodeStore {
  override async put(node: Parameters<PairedNodeStore['put']>[0]): Promise<void> {
    if (step === 'after') await super.put(node);
    await report({ step });
    await new Promise(() => {});
  }
}

const node = await openFleetNode({
  bootstrap: [{ host: '127.0.0.1', port: Number(port) }],
  name: 'Child',
  identity: identityFromSeed(Buffer.from(seed, 'hex')),
  store: new StandingStill(await openDatabase(database)),
});
if (code) await node.fleet.join(code, false);
else await report({ code: (await node.fleet.offer(false)).code });
