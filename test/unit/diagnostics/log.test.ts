import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openNodeLog } from '../../../src-main/diagnostics/log.ts';

it('what others sent steers no terminal that the log is read on, and is there all the same', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'quarry-log-'));
  try {
    const said = 'x\u001b[2J\u009b2J\u202e';
    const { log, close } = openNodeLog({ dataDir, logLevel: 'info' });
    log.info({ said, err: new Error(said) }, said);
    close();
    const lines = (await readFile(join(dataDir, 'quarry.log'), 'utf8')).split('\n').filter(Boolean);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^[^\p{Cc}\u202e]+$/u);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ said, msg: said, err: { message: said } });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
