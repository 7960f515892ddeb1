import type { BackupPart } from '../parts/backup.ts';
import type { Core } from '../parts/core.ts';
import { confidential } from './confidential.ts';
import type { Domain } from './implementer.ts';

/** The contract's `backup`. */
export function backupRoutes(
  { os, named }: Domain<'backup'>,
  { desk, state, restore }: BackupPart,
  { until }: Pick<Core, 'until'>,
) {
  return {
    state: os.state.handler(() => state()),
    create: os.create
      .use(confidential)
      .handler(({ input, signal }) => named(desk.create(input.password, until(signal)))),
    upload: os.upload.handler(({ input }) => desk.upload(input.at, input.piece)),
    show: os.show.handler(() => desk.show()),
    open: os.open.use(confidential).handler(({ input }) => desk.open(input.password)),
    restore: os.restore.handler(() => restore()),
    discard: os.discard.handler(() => desk.discard()),
  };
}
