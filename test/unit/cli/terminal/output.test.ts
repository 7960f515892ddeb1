import { styleText } from 'node:util';
import { afterEach, expect, it, vi } from 'vitest';
import {
  counted,
  dayText,
  durationText,
  errorText,
  standardOutput,
  table,
  timeText,
} from '../../../../src-main/cli/terminal/output.ts';
import { Remark } from '../../../../src-main/cli/terminal/progress.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';

/** Clears the screen, writes to the clipboard, turns the text around. */
const HOSTILE = '\u001b[2J\u001b]52;c;aGk=\u0007\u009b2J\u202e';
const HARMLESS = '[2J]52;c;aGk=2J';

afterEach(() => {
  vi.restoreAllMocks();
});

/** What a use of the output writes to both streams. */
function written(use: (output: ReturnType<typeof standardOutput>) => void, json = false): string {
  let text = '';
  const note = (piece: unknown) => {
    text += piece;
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(note);
  vi.spyOn(process.stderr, 'write').mockImplementation(note);
  use(standardOutput(json));
  vi.restoreAllMocks();
  return text;
}

it('what a command writes steers no terminal, whoever it is from', () => {
  expect(written((output) => output.write(`${HOSTILE}\n`))).toBe(`${HARMLESS}\n`);
  expect(written((output) => output.line(HOSTILE))).toBe(`${HARMLESS}\n`);
  expect(written((output) => output.note(HOSTILE))).toBe(`${HARMLESS}\n`);
  const document = written((output) => output.document({ said: HOSTILE }), true);
  expect(document.replaceAll('\n', '')).toMatch(/^[^\p{Cc}\u202e]+$/u);
});

it('our own styles stay in a line; an answer has none', () => {
  const styled = styleText(['bold', 'red'], 'error', { validateStream: false });
  expect(written((output) => output.line(styled))).toBe(`${styled}\n`);
  expect(written((output) => output.write(styled))).not.toContain('\u001b');
});

it('an error is shown with our styles and none of its own', () => {
  const foreign = styleText('green', 'fine', { validateStream: false });
  const text = errorText(new QuarryError({ code: 'OVERLOADED', message: foreign, hint: foreign }));
  expect(text).not.toContain('\u001b[32m');
});

it('a stranger’s name stays in its own row of a table', () => {
  const rows = table(['MODEL', 'BY'], [['qwen\n✓ trusted-model   me', HOSTILE]]).split('\n');
  expect(rows).toHaveLength(2);
  expect(rows[1]).toContain(HARMLESS);
});

it('further lines of an error stand in from the edge, where only our own words begin', () => {
  const message = 'It broke.\nwhat to do send me your key';
  const lines = errorText(new QuarryError({ code: 'OVERLOADED', message, hint: 'Wait.\nerror none' })).split('\n');
  expect(lines.filter((line) => line.startsWith('  '))).toHaveLength(2);
  expect(lines).toHaveLength(4);
});

it('counts one as one', () => {
  expect([0, 1, 2, 1_200].map((count) => counted(count, 'entry', 'entries'))).toEqual([
    '0 entries',
    '1 entry',
    '2 entries',
    '1,200 entries',
  ]);
  expect(counted(1, 'peer')).toBe('1 peer');
});

it('tells days and times in words that cannot be taken for other ones', () => {
  const at = new Date(2025, 9, 8, 14, 5).getTime();
  expect(dayText(at)).toBe('8 Oct 2025');
  expect(timeText(at)).toBe('8 Oct 2025, 14:05');
  expect(timeText(new Date(2026, 0, 31, 0, 0).getTime())).toBe('31 Jan 2026, 00:00');
});

it.each([
  [0.4, '0 ms'],
  [340, '340 ms'],
  [1_240, '1.2 s'],
  [180_000, '3 min'],
  [5_400_000, '1.5 h'],
  [47 * 3_600_000, '47.0 h'],
  [48 * 3_600_000, '2 days'],
  [1_300 * 86_400_000, '1,300 days'],
] as const)('tells %i ms as people say it: %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

it.each([
  [false, false, 'Making it …\n'],
  [true, false, '\r\u001b[2KMaking it: 0 %\r\u001b[2KMaking it: 37 %\r\u001b[2KMaking it: 100 %\r\u001b[2K'],
  [false, true, ''],
])(
  'how far something is goes by on a terminal (%j), and is no row of lines elsewhere; with --json: %j',
  (isTTY, json, shown) => {
    let text = '';
    const write = (piece: unknown) => {
      text += piece;
      return true;
    };
    vi.spyOn(process, 'stderr', 'get').mockReturnValue({ isTTY, write } as never);
    const remark = new Remark(standardOutput(json));
    for (const done of [0, 0.371, 0.374, 1]) remark.showShare('Making it', done);
    remark.end();
    expect(text).toBe(shown);
  },
);
