import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { program, saidBy, taskText } from '../../src-main/subnets/quasar/gpu/judge-program.ts';
import { makeRepository, repositoryFiles } from '../support/gpu-repositories.ts';
import { findTorch } from '../support/torch-environment.ts';

const python = await findTorch();
const reference = await program('reference.py');
const secret = 's3cret';

/** Judges files on the processor; undefined: the reference. */
async function judged(files?: Record<string, string>) {
  const text = await taskText(
    { tree: files && (await tarOf(files)), seed: 'ab'.repeat(32), tokens: 2_000 },
    { secret, device: 'cpu' },
  );
  const child = spawn(python ?? '', ['-P', '-s', '-c', await program('judge.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(text);
  const stdout = Buffer.concat(await Array.fromAsync<Buffer>(child.stdout)).toString();
  return saidBy({ stdout, late: false }, secret);
}

async function tarOf(files: Record<string, string>): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-gpu-judge-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const commit = await makeRepository(folder, files);
  return execFileSync('git', ['-C', folder, 'archive', '--format', 'tar', commit]);
}

const like = (from: string, to: string) => {
  expect(reference).toContain(from);
  return reference.replace(from, to);
};
const AFTER = `${reference}
inner = gated_linear_attention
def gated_linear_attention(q, k, v, g, s):
    result = inner(q, k, v, g, s)
`;
const CHEATS = `${reference}
inner = gated_linear_attention
def gated_linear_attention(q, k, v, g, s):
    return inner(q, k, v, g.clamp(min=0.5) if q.shape[1] == 100 else g, s)
`;
const LOOKS = `
import os
for path in ('mem', 'fd/1', 'environ'):
    try:
        open(f'/proc/{os.getppid()}/{path}', 'rb')
        raise SystemError('can look')
    except PermissionError:
        pass
print('{"times":[]}')
`;

describe.skipIf(!python)('the judge of the track for graphics cards', { tags: ['long', 'seldom'] }, () => {
  it.each([
    ['the reference', undefined],
    ['a repository that computes the same', repositoryFiles(reference)],
  ])('finds %s right, and says how long each piece took', async (_, files) => {
    expect(await judged(files)).toEqual({ times: Array(20).fill(expect.any(Number)) });
  });

  // Where it is judged nobody is root, who may look everywhere.
  it.skipIf(process.getuid?.() === 0)('lets nothing look into it, and hears nothing that is printed', async () => {
    expect(await judged(repositoryFiles(LOOKS + reference))).toMatchObject({ times: expect.any(Array) });
  });

  it.each([
    ['zeros', 'import torch\ndef gated_linear_attention(q, k, v, g, s): return torch.zeros_like(v), s\n', 'wrong'],
    ['no gates', like('state = g[:, :, t, :, None] * state', 'state = state'), 'wrong'],
    ['no long memory', like('out[n] += reach[n] @ carried', 'pass'), 'wrong'],
    ['gates of zero taken for others, in the size that is measured', CHEATS, 'wrong'],
    ['a changed input', `${AFTER}    g.mul_(0.5)\n    return result\n`, 'tampers'],
    ['an error', 'def gated_linear_attention(*given): raise ValueError("no\\nway")\n', 'traps'],
    ['no function', 'x = 1\n', 'loads'],
    ['an end', 'import os\nos._exit(0)\n', 'died'],
    ['an end of the judge', 'import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n', 'died'],
    ['no Python', 'def (\n', 'files'],
  ])('refuses a chunk.py with %s', async (_, chunk, fault) => {
    expect(await judged(repositoryFiles(chunk))).toEqual({ fault, detail: expect.any(String) });
  });

  it.each<[string, Record<string, string>, string, string]>([
    ['a relative import of gla', { 'fla/ops/quasar/gate.py': 'from ..gla import chunk\n' }, 'imports', 'fla.ops.gla'],
    [
      'kda in a folder below',
      { 'fla/ops/quasar/more/x.py': 'import fla.ops.kda.gate as g\n' },
      'imports',
      'fla.ops.kda',
    ],
    ['gla by its parent', { 'fla/ops/quasar/gate.py': 'from fla.ops import gla\n' }, 'imports', 'fla.ops.gla'],
    ['an import too few', { 'fla/ops/quasar/chunk.py': reference }, 'imports', 'fla.utils.autocast_custom_bwd'],
    [
      'what is forbidden, by the back door',
      { 'fla/ops/gla/x.py': 'y = 1\n', 'fla/ops/quasar/chunk.py': backDoor() },
      'loads',
      'fla.ops.gla',
    ],
  ])('refuses %s', async (_, more, fault, detail) => {
    const said = await judged({ ...repositoryFiles(reference), ...more });
    expect(said).toEqual({ fault, detail: expect.stringContaining(detail) });
  });

  it('refuses what lacks a file', async () => {
    const { 'fla/ops/quasar/gate.py': _, ...files } = repositoryFiles(reference);
    expect(await judged(files)).toEqual({ fault: 'files', detail: 'fla/ops/quasar/gate.py' });
  });
});

function backDoor(): string {
  const importing = 'import importlib\nimportlib.import_module("fla.ops.gla.x")\n';
  return repositoryFiles(importing + reference)['fla/ops/quasar/chunk.py'] as string;
}
