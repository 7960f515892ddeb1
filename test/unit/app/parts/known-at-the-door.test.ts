import { expect, it } from 'vitest';
import { BanList } from '../../../../src-main/mesh/transport/guards/ban-list.ts';
import { ConnectionGate } from '../../../../src-main/mesh/transport/guards/gate.ts';
import { DEFAULT_LIMITS } from '../../../../src-main/mesh/transport/guards/limits.ts';
import { NOON, openCreditNode, oweTo, signedReceipt, testIdentity } from '../../../support/credit-nodes.ts';
import { testLog as log } from '../../../support/mesh-node.ts';

it('who has served this node comes in while strangers flood it, and nobody else: not for little, nor for a gift that he has signed for', async () => {
  const node = await openCreditNode(1);
  const [earner, little, debtor] = [testIdentity(2), testIdentity(3), testIdentity(4)];
  await oweTo(node, earner, 10);
  await oweTo(node, little, 2);
  await node.book.worker.settle(signedReceipt(node.identity, debtor, { servedAt: NOON }));
  const limits = { ...DEFAULT_LIMITS, unprovenPerSecond: 1, unprovenBurst: 1 };
  const gate = new ConnectionGate(limits, new BanList({ log }), () => 0, node.book.hasEarned);
  const knock = (id: string) => gate.refusesHandshake(id, '198.51.100.1');
  expect(knock(testIdentity(5).id)).toBeUndefined();
  expect([testIdentity(6).id, little.id, debtor.id].map(knock)).toEqual(Array(3).fill('too many strangers at once'));
  expect(knock(earner.id)).toBeUndefined();
  await node.close();
});
