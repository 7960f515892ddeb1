import { MeshDoor, type MeshDoorOptions } from '../../src-main/mesh/serving/mesh-door.ts';
import { Dispatcher, type DispatcherOptions } from '../../src-main/mesh/serving/queue/dispatcher.ts';

type Options = Omit<DispatcherOptions, 'given' | 'onChange' | 'health'> &
  Omit<MeshDoorOptions, 'dispatcher' | 'maxDeadlineMs'> &
  Partial<Pick<DispatcherOptions, 'given'> & Pick<MeshDoorOptions, 'maxDeadlineMs'>>;

/** A worker's queue and its door to the mesh, without a network, on a healthy computer. */
export function openMeshDoor({ maxDeadlineMs = 60_000, ...options }: Options) {
  const dispatcher = new Dispatcher({
    given: (prefix) => options.credits.given(prefix),
    ...options,
    health: () => ({ score: 90, state: 'idle', capacity: 100, accepting: true }),
    onChange: () => {},
  });
  const door = new MeshDoor({ ...options, dispatcher, maxDeadlineMs });
  return {
    dispatcher,
    door,
    async close() {
      await dispatcher.close();
      await door.booksRest();
    },
  };
}
