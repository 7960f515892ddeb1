import { NOW } from '../sample-data.ts';
import type { Script, ScriptedOs } from './answers.ts';

const BACKUP = { node: 'ab'.repeat(32), createdAt: NOW - 86_400_000, version: '0.1.0', bytes: 300_000 };

/** The contract's `backup` out of a script. */
export function script(os: ScriptedOs['backup']): Script<'backup'> {
  return {
    state: os.state.handler(() => ({ lastAt: null, databaseBytes: 300_000 })),
    create: os.create.handler(async function* () {
      yield { bytes: 3, piece: 'AAAA' };
    }),
    upload: os.upload.handler(({ input }) => ({ bytes: input.at + 3 })),
    show: os.show.handler(() => BACKUP),
    open: os.open.handler(() => ({ backup: { ...BACKUP, receipts: 12, points: 120 }, here: null })),
    restore: os.restore.handler(() => undefined),
    discard: os.discard.handler(() => undefined),
  };
}
