import type { FleetNode, FleetView } from '../../../../src-preload/contract/fleet.ts';
import { shortId } from '../../../../src-preload/contract/limits.ts';
import { Changes } from '../../../base/changes.ts';
import { watched } from '../../../base/watched.ts';
import { checkMyNodes } from '../../../hardware/doctor/my-nodes.ts';
import { Fleet } from '../../../mesh/fleet/fleet.ts';
import { PairedNodeStore } from '../../../store/mesh/paired-nodes.ts';
import type { NodeReading } from '../../node/reading.ts';
import { nodeSummaries } from '../../node/summary.ts';
import type { Core } from '../core.ts';
import type { CreditsPart } from '../credits.ts';
import type { EnergyPart } from '../energy.ts';
import type { Report } from '../report.ts';
import type { MeshPart } from './mesh.ts';
import type { MiningPart } from './mining.ts';

/** The other nodes of this node's owner. */
export interface FleetPart
  extends Pick<
    Fleet,
    'view' | 'others' | 'offer' | 'cancelOffer' | 'join' | 'remove' | 'allow' | 'order' | 'call' | 'onCall'
  > {
  /** The view, now and whenever it changes. */
  watch(signal?: AbortSignal): AsyncGenerator<FleetView, void, undefined>;
}

export interface FleetNeeds {
  mesh: Pick<MeshPart, 'swarm'>;
  mining: Pick<MiningPart, 'switch'> | undefined;
  credits: Pick<CreditsPart, 'summary'>;
  energy: Pick<EnergyPart, 'cards'>;
  read: () => NodeReading;
}

/** Opens the connections to those that this node is paired with. */
export async function openFleet(core: Core, needs: FleetNeeds): Promise<FleetPart> {
  const { db, log, until, onClose } = core;
  const changes = new Changes();
  const name = core.settings.follow('nodeName');
  const fleet = new Fleet({
    swarm: needs.mesh.swarm,
    store: new PairedNodeStore(db),
    summary: nodeSummaries({ ...needs, role: core.config.role, name: () => name.now }),
    order(want) {
      needs.mining?.switch[want]().catch((err: unknown) => log.warn({ err, want }, 'a paired node asked in vain'));
      return needs.mining !== undefined;
    },
    onChange: () => changes.tell(),
    log,
  });
  onClose(() => fleet.close());
  await fleet.open();
  return Object.assign(fleet, {
    watch: (signal?: AbortSignal) => watched(() => fleet.view(), changes, until(signal)),
  });
}

/** @param fleet undefined on a node that has no others */
export function fleetReport(fleet: Pick<FleetPart, 'others'> | undefined): Report {
  if (!fleet) return {};
  return {
    figures: [
      { name: 'quarry_paired_nodes', help: 'Other nodes of the same owner.', read: () => fleet.others().length },
      {
        name: 'quarry_paired_nodes_connected',
        help: 'Other nodes of the same owner that are connected.',
        read: () => fleet.others().filter(({ online }) => online).length,
      },
      {
        name: 'quarry_paired_node_seen_timestamp_seconds',
        help: 'When another node of the same owner was heard last, in Unix time; that of one that is connected is now.',
        label: 'node',
        read: () => Object.fromEntries(fleet.others().map(seen)),
      },
    ],
    checks: { 'my nodes': async () => checkMyNodes(fleet.others(), Date.now()) },
  };
}

/** By the beginning of its id, as peers are told everywhere: a name may be somebody's. */
function seen({ id, online, seenAt }: FleetNode): [node: string, seconds: number] {
  return [shortId(id), online ? Date.now() / 1_000 : (seenAt ?? Number.NaN) / 1_000];
}
