import type { LAYER_RULES } from '../../../src-preload/contract/validator-names.ts';
import type { NodeClient } from '../terminal/node-client.ts';

/** By which rules a node makes weights of results. */
export interface NodeRules {
  /** Results of so many days count. */
  days: number;
  /** 0 to 1. */
  burn: number;
  preset?: string | undefined;
  /** Undefined: as usual with the preset. */
  layers?: (typeof LAYER_RULES)[number] | undefined;
}

/** What the node goes by that is asked: its options and variables may be others than those of this command. */
export async function rulesOf(node: NodeClient): Promise<NodeRules> {
  const { settings } = await node.settings.list();
  const value = (name: string) => settings.find(({ path }) => path === `validator.${name}`)?.value;
  return { days: value('days'), burn: value('burn'), preset: value('preset'), layers: value('layers') } as NodeRules;
}
