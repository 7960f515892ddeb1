import { fileURLToPath } from 'node:url';
import { endWithParent } from './process-tree.ts';

/**
 * Entry of every module that Node's spawner starts: sees to it that none outlives its parent, and gives the module the
 * arguments that it would have if it had been started by itself. (Messages that come before it listens are kept.)
 */
const [node = '', , parent, module = '', ...args] = process.argv;
endWithParent(Number(parent));
process.argv = [node, fileURLToPath(module), ...args];
await import(module);
