import { expect, it, onTestFinished } from 'vitest';
import { MeshClient } from '../../../../src-main/mesh/asking/client.ts';
import { openCreditNode } from '../../../support/credit-nodes.ts';
import { testLog } from '../../../support/mesh-node.ts';
import { WirelessNetwork } from '../../../support/wireless-peer.ts';
import { WirelessWorker } from '../../../support/wireless-worker.ts';

it.each([{ logitBias: { 7: -100 } }, { frequencyPenalty: 0.5 }, { presencePenalty: 1 }])(
  'what the mesh’s messages have no field for is refused before a worker is asked: %j',
  async (more) => {
    const node = await openCreditNode(1, { clock: { now: Date.now() } });
    onTestFinished(() => node.close());
    const wireless = new WirelessNetwork();
    const { network } = wireless;
    const client = new MeshClient({ network, identity: node.identity, credits: node.book.client, log: testLog });
    onTestFinished(() => client.close());
    client.open();
    const worker = new WirelessWorker('honest');
    onTestFinished(() => worker.close());
    wireless.join(worker);
    worker.beat();
    const ask = (extra: object) => Array.fromAsync(client.generate({ input: { prompt: 'x' }, maxTokens: 5, ...extra }));
    const [field] = Object.keys(more);
    await expect(ask(more)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      field,
      message: `The mesh cannot be asked with «${field}»: its messages do not carry it.`,
    });
    expect((await ask({})).map(({ type }) => type)).toContain('done'); // it would have answered
  },
);
