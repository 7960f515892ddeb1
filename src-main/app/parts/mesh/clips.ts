import { ClipDoor } from '../../../mesh/serving/clip-door.ts';
import { handInText } from '../../../subnets/omega/clips/synapse/mesh-clips.ts';
import type { ClipWorker } from '../../../subnets/omega/clips/synapse/serve-clips.ts';
import type { Core } from '../core.ts';
import type { MeshPart } from './mesh.ts';

export interface MeshClipsNeeds {
  mesh: Pick<MeshPart, 'inference'>;
  /** Who hands in clips. */
  clips: ClipWorker;
}

/** Hands in clips to validators of the mesh that a person has named, and to nobody else: see the setting `data.meshValidators`. */
export function openMeshClips(
  { identity, settings, log, onDrain, onClose }: Core,
  { mesh: { inference: network }, clips }: MeshClipsNeeds,
): void {
  const validators = settings.follow('data.meshValidators');
  const trusts = (node: string) => validators.now.includes(node);
  const door = new ClipDoor({ network, worker: identity.id, trusts, handIn: (asked) => handInText(clips, asked), log });
  door.open();
  onDrain(() => door.drain());
  onClose(() => door.close());
  let before = validators.now;
  validators.whenSet((now) => {
    // What a node says of itself it says once for each connection: whom this concerns hears it with the next one.
    const concerned = [...before, ...now].filter((node) => before.includes(node) !== now.includes(node));
    for (const node of concerned) network.peers.get(node)?.connection.close('whom it hands clips in to has changed');
    before = now;
  });
}
