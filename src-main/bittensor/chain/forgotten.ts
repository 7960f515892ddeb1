import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { ARCHIVE } from '../public-endpoints.ts';
import { RpcRefusal, type RpcSocket } from './rpc-socket.ts';

/** How nodes say that they keep the state of newer blocks only. */
const SAID = /state already discarded|unknown ?block|state.*pruned/i;

/** What an endpoint does not keep any more. */
export class Forgotten extends QuarryError {
  constructor(cause: RpcRefusal) {
    const hint = say('bittensor.chain.ownEndpoint', { archive: ARCHIVE });
    super({ code: 'CHAIN_REFUSED', message: say('bittensor.chain.forgotten'), hint }, { cause });
  }
}

/** Asks about an old block. It throws {@link Forgotten} where the node keeps the state of newer ones only, as most do after an hour. */
export function ofOldBlock(rpc: RpcSocket): Pick<RpcSocket, 'request' | 'end'> {
  return {
    get end() {
      return rpc.end;
    },
    request: (method, params) =>
      rpc.request(method, params).catch((error: unknown) => {
        throw error instanceof RpcRefusal && SAID.test(`${error.message} ${error.data}`) ? new Forgotten(error) : error;
      }),
  };
}
