import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { deleteRecording } from '../../../../src-main/cli/focus/delete.ts';
import { exportVideo } from '../../../../src-main/cli/focus/export.ts';
import { keepRecording } from '../../../../src-main/cli/focus/keep.ts';
import { score } from '../../../../src-main/cli/focus/score.ts';
import type { CommandContext } from '../../../../src-main/cli/terminal/command.ts';
import { namedError } from '../../../../src-main/client/named-error.ts';
import { typedTerminal } from '../../../support/typed-terminal.ts';

const TAP = { id: '3f8235a0-0000-4000-8000-000000000000', title: 'Fix a tap', activeMs: 85_000 };

/** A command on a node with one recording. */
function onNode(focus: object) {
  const lines: string[] = [];
  const find = async ({ beginning }: { beginning: string }) => (TAP.id.startsWith(beginning) ? [TAP] : []);
  const node = { focus: { find, ...focus } };
  const add = (text: string) => lines.push(text);
  const output = { json: false, line: add, note: add, document() {} };
  const withNode = async (_: object, use: (client: object) => Promise<unknown>) =>
    use(node).catch((error: unknown) => Promise.reject(namedError(error)));
  const ctrlC = new AbortController();
  const context = { output, withNode, signal: ctrlC.signal };
  return { lines, ctrlC, context: context as unknown as CommandContext };
}

it.each([
  ['n\n', 0],
  ['\n', 0],
  ['y\n', 1],
])('deletes only what somebody says yes to: %j', async (answer, times) => {
  const remove = vi.fn();
  const { shown } = typedTerminal([answer]);
  const { context } = onNode({ remove });
  const deleted = deleteRecording(context, '3f82');
  if (times === 0) await expect(deleted).rejects.toThrow('Nothing was deleted.');
  else await deleted;
  expect(shown()).toContain('Delete “Fix a tap”, 1:25, every trace of it? [y/N] ');
  expect(remove).toHaveBeenCalledTimes(times);
});

it('deletes nothing where nobody can be asked, unless --yes says so', async () => {
  const stdin = vi.spyOn(process, 'stdin', 'get').mockReturnValue({ isTTY: false } as never);
  const remove = vi.fn();
  const { context } = onNode({ remove });
  await expect(deleteRecording(context, '3f82')).rejects.toThrow('nobody is there to say yes');
  expect(remove).not.toHaveBeenCalled();
  await deleteRecording(context, '3f82', { yes: true });
  expect(remove).toHaveBeenCalledWith({ ids: [TAP.id] });
  stdin.mockRestore();
});

it('finds nothing by fewer than four characters', async () => {
  const remove = vi.fn();
  const { context } = onNode({ remove });
  await expect(deleteRecording(context, '3f8', { yes: true })).rejects.toThrow('four characters');
  expect(remove).not.toHaveBeenCalled();
});

describe('a score by a model where none is set up', () => {
  const why = 'No model is set up that could look at it.';
  const verdict = { state: 'draft', score: null, text: why };
  const focus = {
    score: async () => ({ score: 0.97, findings: [] }),
    rate: async function* () {},
    rating: async () => ({ verdict, model: null }),
    scorer: async () => ({ model: null, host: null, lack: why }),
  };

  it('is an error that names the settings', async () => {
    const { context, lines } = onNode(focus);
    const hint = expect.stringMatching(/focus\.scorer\.baseUrl.*focus\.scorer\.model/);
    await expect(score(context, '3f82', { model: true })).rejects.toMatchObject({ message: why, hint });
    expect(lines.join()).not.toContain('--model');
  });

  it('is offered to who has not asked for it', async () => {
    const { context, lines } = onNode(focus);
    await score(context, '3f82', {});
    expect(lines.at(-1)).toContain('--model');
  });
});

it('keeps one as far as it came', async () => {
  const finish = vi.fn(async () => TAP);
  const { context, lines } = onNode({ finish });
  await keepRecording(context, '3f82');
  expect(finish).toHaveBeenCalledWith({ id: TAP.id });
  expect(lines).toEqual(['«Fix a tap» is kept as it is, 1:25.']);
});

describe('a video that is not made to its end', () => {
  const file = join(tmpdir(), 'never-written.webm');
  const flags = { metadata: true };

  it('says that nothing was written, and to do it again, where the node ended', async () => {
    const { context } = onNode({
      export: async function* () {
        yield { type: 'progress', done: 0.5 };
        throw new TypeError('terminated');
      },
    });
    await expect(exportVideo(context, '3f82', file, flags)).rejects.toMatchObject({
      code: 'NOT_RUNNING',
      message: expect.stringMatching(/does not answer any more\. Nothing was written\.$/),
      hint: expect.stringContaining('again'),
    });
  });

  it('says so where Ctrl+C ended it', async () => {
    const { context, ctrlC, lines } = onNode({
      export: async function* () {
        yield { type: 'progress', done: 0.5 };
        ctrlC.abort();
        ctrlC.signal.throwIfAborted();
      },
    });
    await expect(exportVideo(context, '3f82', file, flags)).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(lines.at(-1)).toBe('Stopped. Nothing was written.');
  });
});
