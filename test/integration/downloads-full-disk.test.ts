import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DownloadNode, sha256Of } from '../support/download-node.ts';
import { UnrulyServer } from '../support/unruly-server.ts';

const CONTENT = randomBytes(6_000_000);
const SEGMENT = 1 << 20;
const never = new AbortController().signal;

/** Makes the folder a drive of its own, in memory; or gives it another size. */
function drive(folder: string, size: string, remount = false): boolean {
  try {
    const options = `${remount ? 'remount,' : ''}size=${size}`;
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'quarry-test', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false; // not on this system, or not for this user
  }
}

describe('a drive that fills up during a download', () => {
  let server: UnrulyServer;
  let node: DownloadNode;
  let mounted = false;
  beforeAll(async () => {
    server = await new UnrulyServer(CONTENT).open();
    node = await DownloadNode.open({ segmentBytes: SEGMENT, freeSpace: async () => Number.POSITIVE_INFINITY });
    mounted = drive(node.folder, '3m');
  });
  afterAll(async () => {
    await node.downloads.close();
    if (mounted) execFileSync('umount', [node.folder]);
    await node.close();
    await server.close();
  });

  it('pauses it with what to do, and nothing that is there is fetched again', async (context) => {
    if (!mounted) return context.skip('no drive can be mounted here');
    await node.downloads.start({ name: 'qwen', urls: [`${server.origin}/qwen`], sha256: sha256Of(CONTENT) });
    await expect(node.downloads.finished('qwen', never)).rejects.toMatchObject({
      code: 'DISK_FULL',
      hint: /Make room/,
    });
    const [paused] = node.downloads.list();
    expect(paused).toMatchObject({ state: 'paused', problem: { code: 'DISK_FULL' } });
    expect(paused?.received).toBeGreaterThan(1_000_000);
    drive(node.folder, '30m', true);
    const requests = server.reads.length;
    await node.downloads.resume('qwen');
    await node.downloads.finished('qwen', never);
    expect((await node.file('qwen')).equals(CONTENT)).toBe(true);
    const asked = server.reads
      .slice(requests)
      .reduce((sum, { range }) => sum + (range?.last ?? 0) + 1 - (range?.start ?? 0), 0);
    expect(asked).toBe(CONTENT.length - (paused?.received ?? 0));
  });
});
