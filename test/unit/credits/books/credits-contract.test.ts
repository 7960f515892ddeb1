import { nextRequestId, openCreditNode, testIdentity } from '../../../support/credit-nodes.ts';
import { clientCreditsContract, workerCreditsContract } from '../../../support/credits-contract.ts';
import { MemoryClientCredits, MemoryWorkerCredits } from '../../../support/memory-credits.ts';

const identity = testIdentity(900);
const now = () => ({ now: Date.now() });

/** Reserves one token's price until there is no more. */
async function spendAll(reserve: (requestId: string) => Promise<unknown>): Promise<void> {
  for (let left = true; left; ) {
    left = await reserve(nextRequestId()).then(
      () => true,
      () => false, // nothing is left
    );
  }
}

workerCreditsContract('the ledger', async () => {
  const { book, close } = await openCreditNode(900, { clock: now() });
  const exhaust = (client: string) =>
    spendAll((requestId) => book.worker.reserve({ requestId, client, host: '203.0.113.1', maxTokens: 1 }));
  return { credits: book.worker, identity, exhaust, close };
});

workerCreditsContract('the double in memory', async () => {
  const credits = new MemoryWorkerCredits(identity);
  return { credits, identity, exhaust: async (client) => void credits.broke.add(client), close: async () => {} };
});

clientCreditsContract('the ledger', async () => {
  const { book, close } = await openCreditNode(900, { clock: now() });
  const exhaust = () =>
    spendAll((requestId) => book.client.reserve({ requestId, worker: 'f'.repeat(64), maxTokens: 1 }));
  return { credits: book.client, identity, exhaust, close };
});

clientCreditsContract('the double in memory', async () => {
  const credits = new MemoryClientCredits(identity);
  const exhaust = async () => {
    credits.credits = 0;
  };
  return { credits, identity, exhaust, close: async () => {} };
});
