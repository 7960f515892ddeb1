import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { baseline } from '../../../../src-main/cli/competition/baseline.ts';
import { reveal } from '../../../../src-main/cli/competition/reveal.ts';
import { list as listRounds, verify } from '../../../../src-main/cli/competition/rounds.ts';
import { list, start } from '../../../../src-main/cli/competition/submit.ts';
import { MOST_ENTRY_BYTES } from '../../../../src-preload/contract/competition-numbers.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { commandContext } from '../../../support/command-context.ts';
import { temporaryFolder } from '../../../support/quarry-process.ts';
import { sampleCompetition } from '../../../support/screens/sample-competition.ts';

afterEach(() => {
  process.exitCode = undefined;
});

/** A node that keeps what it is asked. */
function scripted() {
  const { state } = sampleCompetition();
  const [entry] = state.entries;
  if (!entry) throw new Error('a sample without a submission');
  const done: string[] = [];
  const published = [{ text: 'Everybody can fetch the code.' }];
  const competition = {
    state: async () => state,
    look: async () => {
      done.push('look');
      return state;
    },
    bring: async ({ from, piece, bytes }: { from: number; piece: string; bytes: number }) => {
      done.push(`bring ${from}`);
      return { next: Math.min(bytes, from + Buffer.from(piece, 'base64').length) };
    },
    prepare: async ({ name, tokens, track }: { name: string; tokens: number; track: string }) => {
      done.push(`prepare ${name} ${tokens}${track === 'kernel' ? '' : ` ${track}`}`);
      return {
        entry: { ...entry, name, tokens, state: 'kept' },
        published,
        warnings: [{ text: 'It will count in the next round.' }],
      };
    },
    submit: async () => {
      done.push('submit');
      return entry;
    },
    forget: async () => void done.push('forget'),
    reveal: async ({ id }: { id: string }) => {
      done.push(`reveal ${id.slice(0, 1)}`);
      throw new QuarryError({ code: 'OVERLOADED', message: 'It is too early.' });
    },
  };
  return { node: { competition }, done };
}

async function file(bytes: number) {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const path = join(folder.path, 'kernel.wasm');
  await writeFile(path, Buffer.alloc(bytes, 1));
  return path;
}

it('says what would be published before anything is sent; without a yes nothing is, and nothing of it stays', async () => {
  const { node, done } = scripted();
  const { context, lines } = commandContext(node);
  await expect(start(context, await file(300_000), { tokens: 200_000 })).rejects.toMatchObject({ field: 'yes' });
  expect(lines.join('\n')).toMatch(/Everybody can fetch the code\.\n! It will count in the next round\./);
  expect(done).toEqual(['bring 0', 'bring 262144', 'prepare kernel.wasm 200000', 'forget']);
});

it('with a yes it is submitted, and it is said when it can be revealed, and that no node does so', async () => {
  const { node, done } = scripted();
  const { context, lines, documents } = commandContext(node);
  await start(context, await file(10), { tokens: 100_000, yes: true });
  expect(done.at(-1)).toBe('submit');
  expect(documents).toHaveLength(1);
  expect(lines.join('\n')).toContain('quarry reveal 11111111');
});

it('a file that is too large, or empty, does not come to the node', async () => {
  const { node, done } = scripted();
  for (const bytes of [MOST_ENTRY_BYTES + 1, 0]) {
    const started = start(commandContext(node).context, await file(bytes), { tokens: 100_000, yes: true });
    await expect(started).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  }
  expect(done).toEqual([]);
});

it('all that can be revealed is tried, and the first failure is told', async () => {
  const { node, done } = scripted();
  await expect(reveal(commandContext(node).context, undefined)).rejects.toMatchObject({ code: 'OVERLOADED' });
  expect(done).toEqual(['reveal 1']);
});

it('a commit of a repository is submitted in the place of a file, and refused where it names none', async () => {
  const { node, done } = scripted();
  const commit = 'ab'.repeat(20);
  const flags = { tokens: 100_000, yes: true, repo: 'https://github.com/ann/fork', commit };
  await start(commandContext(node).context, undefined, flags);
  expect(done).toEqual(['bring 0', 'prepare fork abababab 100000 gpu', 'submit']);
  const wrong = [
    { repo: 'http://github.com/ann/fork' },
    { commit: 'main' },
    { commit: undefined },
    { repo: undefined },
  ];
  for (const one of wrong) {
    const started = start(commandContext(node).context, undefined, { ...flags, ...one });
    await expect(started).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  }
  await expect(start(commandContext(node).context, await file(10), flags)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
});

it('of each track it is said whether it is open, and why not', async () => {
  const { current, rounds } = sampleCompetition();
  const competition = { current: async () => current, rounds: async () => ({ rounds, more: false }) };
  const { context, lines } = commandContext({ competition });
  await listRounds(context, {});
  expect(lines.join('\n')).toMatch(/track +kernel: open\n +track +gpu: closed. There is no Docker/);
});

it.each([
  [null, undefined],
  [true, undefined],
  [false, 1],
])('a round whose check is right: %s, ends the command with %s', async (isRight, code) => {
  const check = { isRight, text: 'The shares follow from the places.' };
  const verification = async function* () {
    yield { type: 'check', check };
    yield {
      type: 'done',
      round: 3,
      isRight: isRight !== false,
      checks: [check],
      interventions: [{ at: 0, what: 'extended' }],
    };
  };
  const asked: object[] = [];
  const verifying = async (wanted: object) => {
    asked.push(wanted);
    return verification();
  };
  const { context, lines, documents } = commandContext({ competition: { verify: verifying } });
  await verify(context, 3, { wallet: 'other' });
  expect(asked).toEqual([{ round: 3, judge: false, wallet: 'other' }]);
  expect([process.exitCode, documents.length]).toEqual([code, 1]);
  if (isRight === null) expect(lines[0]).toMatch(/^–/);
  else expect(lines.join('\n')).toMatch(isRight ? /✓.*\n.*extended\n.*as its server says/s : /✗/);
});

it.each([
  [true, []],
  [false, ['look']],
])('where a node runs (%s) it has asked how submissions stand; else it is asked now', async (runs, wanted) => {
  const { node, done } = scripted();
  await list(commandContext(node, runs).context);
  expect(done).toEqual(wanted);
});

it('fetches what there is to beat as a file, and replaces none unless that is said', async () => {
  const { current } = sampleCompetition();
  const asked: object[] = [];
  const artefact = async (wanted: object) => {
    asked.push(wanted);
    return { content: Buffer.from('a kernel').toString('base64') };
  };
  const { context, documents } = commandContext({ competition: { current: async () => current, artefact } });
  const path = await file(10);
  await expect(baseline(context, path, {})).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await baseline(context, path, { force: true, wallet: 'other' });
  expect(await readFile(path, 'utf8')).toBe('a kernel');
  const [kernel] = current.baselines ?? [];
  expect(asked.at(-1)).toEqual({ sha256: kernel?.sha256, wallet: 'other' });
  expect(documents).toMatchObject([{ round: 3, sha256: kernel?.sha256 }]);
});

it('what there is to beat is not known before the round before has ended', async () => {
  const current = async () => ({ ...sampleCompetition().current, baselines: null });
  const { context } = commandContext({ competition: { current } });
  await expect(baseline(context, 'none.wasm', {})).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});
