import { ORPCError } from '@orpc/server';
import type { FleetNode } from '../../../../src-preload/contract/fleet.ts';
import { codeFault } from '../../../../src-preload/contract/pairing-code.ts';
import { FLEET_CODE } from '../sample-data.ts';
import { every, type Script, type ScriptedData, type ScriptedOs } from './answers.ts';

/** The contract's `fleet` out of a script: nodes of one owner. Whoever joins with {@link FLEET_CODE} finds the last of them. */
export function script(os: ScriptedOs['fleet'], answers: ScriptedData): Script<'fleet'> {
  const change = (id: string, to: Partial<FleetNode>) => {
    const nodes = answers.fleet.nodes.map((node) => (node.id === id ? { ...node, ...to } : node));
    answers.fleet = { ...answers.fleet, nodes };
  };
  return {
    list: os.list.handler(() => answers.fleet),
    watch: os.watch.handler(({ signal }) =>
      every(
        () => 200,
        () => answers.fleet,
        signal,
      ),
    ),
    offer: os.offer.handler(() => {
      const offer = { code: FLEET_CODE, expiresAt: Date.now() + 600_000 };
      answers.fleet = { ...answers.fleet, offer };
      return offer;
    }),
    cancelOffer: os.cancelOffer.handler(() => {
      answers.fleet = { nodes: answers.fleet.nodes };
    }),
    join: os.join.handler(({ input }) => {
      const found = answers.fleet.nodes.at(-1);
      if (!found || codeFault(input.code)) throw new ORPCError('BAD_REQUEST');
      return found;
    }),
    remove: os.remove.handler(({ input }) => {
      answers.fleet = { ...answers.fleet, nodes: answers.fleet.nodes.filter(({ id }) => id !== input.id) };
    }),
    allow: os.allow.handler(({ input }) => change(input.id, { mayControlThis: input.mayControl })),
    startMining: os.startMining.handler(() => undefined),
    stopMining: os.stopMining.handler(() => undefined),
  };
}
