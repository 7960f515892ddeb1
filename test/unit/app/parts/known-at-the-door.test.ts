import { expect, it } from 'vitest';
import { isInTheBooks } from '../../../../src-main/app/parts/mesh.ts';
import { BanList } from '../../../../src-main/mesh/transport/ban-list.ts';
import { ConnectionGate } from '../../../../src-main/mesh/transport/gate.ts';
import { DEFAULT_LIMITS } from '../../../../src-main/mesh/transport/limits.ts';
import { NOON, openCreditNode, signedReceipt, testIdentity } from '../../../support/credit-nodes.ts';
import { testLog as log } from '../../../support/mesh-node.ts';

it('who owes this node something comes in while strangers flood it, and nobody else by saying so', async () => {
  const node = await openCreditNode(1);
  const debtor = testIdentity(2);
  await node.book.worker.settle(signedReceipt(node.identity, debtor, { servedAt: NOON }));
  const knows = (id: string) => isInTheBooks(node.book, id);
  const limits = { ...DEFAULT_LIMITS, unprovenPerSecond: 1, unprovenBurst: 1 };
  const gate = new ConnectionGate(limits, new BanList({ log }), () => 0, knows);
  const knock = (id: string) => gate.refusesHandshake(id, '198.51.100.1');
  expect([knock(testIdentity(3).id), knock(testIdentity(4).id)]).toEqual([undefined, 'too many strangers at once']);
  expect(knock(debtor.id)).toBeUndefined();
  await node.close();
});
