import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { PROTOCOL_VERSION } from '../transport/envelope.ts';
import type { Peer } from '../transport/peer.ts';
import type { MeshSwarm } from '../transport/swarm.ts';
import { CodeKeys } from './code-keys.ts';
import type { PairingMessage } from './messages.ts';
import type { PairedNode, PairedNodes } from './paired-nodes.ts';
import { bindingTo, pairingNetwork } from './pairing-network.ts';

/** Milliseconds between two looks whether somebody that is connected already was found at the code's place. */
const LOOK_MS = 250;

export interface JoinOptions {
  /** Free of faults. */
  code: string;
  mayControl: boolean;
  /** What this node is called. */
  name: string;
  nodes: PairedNodes;
  swarm: MeshSwarm;
  /** Milliseconds after which nobody is looked for any more. */
  patienceMs: number;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
  log: Logger;
}

/**
 * Finds the node that shows the code and pairs with it. Others may be at that place too, and answer first: they cannot show that they know the
 * code, and what they hear helps them with nobody, so the search goes on beside them.
 *
 * @throws NO_WORKER when nobody shows the code; BAD_REQUEST when it was used, or one of them has no room; CANCELLED
 */
export async function joinByCode(options: JoinOptions, signal: AbortSignal): Promise<PairedNode> {
  const { code, swarm, log, patienceMs } = options;
  const keys = new CodeKeys(code);
  const network = pairingNetwork('guest', { swarm, keys, log });
  const { promise, resolve, reject } = Promise.withResolvers<PairedNode>();
  network.follow((peer) => greet(peer, keys, options).then(resolve, reject));
  const end = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  const onEnd = () => reject(signal.aborted ? cancelled() : nobodyThere());
  end.addEventListener('abort', onEnd, { once: true });
  if (end.aborted) onEnd();
  const looking = setInterval(() => network.openMore(), LOOK_MS);
  try {
    await network.open();
    return await promise;
  } finally {
    clearInterval(looking);
    end.removeEventListener('abort', onEnd);
    await network.close();
  }
}

/** Resolves with the node that knows the code; never for another. @throws when the one that knows it refuses, or it could not be kept */
function greet(peer: Peer<PairingMessage>, keys: CodeKeys, options: JoinOptions): Promise<PairedNode> {
  const { swarm, nodes, name, mayControl, now = Date.now } = options;
  const binding = bindingTo(peer, 'guest', swarm.identity.id);
  const { promise, resolve, reject } = Promise.withResolvers<PairedNode>();
  let answered = false;
  peer.onMessage((message) => {
    if (answered || message.type === 'pair-request' || message.type === 'pair-done') {
      return peer.offend('protocol error', 'pairing');
    }
    answered = true;
    const word = message.type === 'pair-refuse' ? 'refuse' : 'accept';
    if (!keys.isProof(message.proof, word, binding)) return peer.offend('wrong proof', 'pairing');
    if (message.type === 'pair-refuse') return reject(refused(message.reason));
    nodes
      .add({ id: peer.id, name: message.name, mayControl, now: now() })
      .then((node) => {
        peer.send({ v: PROTOCOL_VERSION, type: 'pair-done' });
        resolve(node);
      })
      .catch(reject);
  });
  peer.send({ v: PROTOCOL_VERSION, type: 'pair-request', name, proof: keys.proof('request', binding) });
  return promise;
}

function cancelled(): QuarryError {
  return new QuarryError({ code: 'CANCELLED', message: say('fleet.joinCancelled') });
}

function nobodyThere(): QuarryError {
  return new QuarryError({
    code: 'NO_WORKER',
    message: say('fleet.nobodyThere'),
    hint: say('fleet.checkBoth'),
    retryable: true,
  });
}

function refused(reason: 'used' | 'full'): QuarryError {
  const used = reason === 'used';
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say(used ? 'fleet.codeUsed' : 'fleet.otherFull'),
    hint: say(used ? 'fleet.newCode' : 'fleet.removeThere'),
  });
}
