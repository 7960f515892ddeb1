import { VersionFiles } from '../../src-main/learning/adapters/version-files.ts';
import { Versions } from '../../src-main/learning/adapters/versions.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import { AdapterStore } from '../../src-main/store/learning/learning-adapters.ts';
import { smallBase } from './made-adapter.ts';
import { report } from './report.ts';

/*
 * A process that takes in versions, goes back and forth among them and deletes the oldest, until it is killed:
 * `node adapter-child.ts DATABASE FOLDER TRAINED`. What is done is reported on standard output.
 */

const [path = '', folder = '', trained = ''] = process.argv.slice(2);
const BASE = { sha256: 'a'.repeat(64), name: 'small', shape: smallBase() };

const db = await openDatabase(path);
const versions = new Versions({ store: new AdapterStore(db), files: new VersionFiles(folder) });
await versions.open();
await report({ opened: true });
for (;;) {
  const { versions: known } = await versions.page('personal');
  const { id } = await versions.intake.take(trained, {
    name: 'personal',
    base: BASE,
    parent: known[0]?.id ?? null,
    use: true,
    feedback: [],
    metrics: null,
    run: 'r',
    alongside: async (inside, id) => {
      const run = { id, name: 'personal', state: 'accepted', created_at: 1, settings: '{}' };
      await inside
        .insertInto('learning_runs')
        .values(run as never)
        .execute();
      return run.name;
    },
  });
  await report({ taken: id });
  await versions.undo('personal');
  await report({ undone: id });
  await versions.use(id);
  const oldest = known.at(-1);
  if (known.length < 3 || !oldest) continue;
  await versions.remove(oldest.id);
  await report({ removed: oldest.id });
}
