import { afterEach, describe, expect, it, vi } from 'vitest';
import { endOver } from '../../../../src-main/desktop/guards/fatal.ts';
import { endHeadless } from '../../../../src-main/desktop/headless.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';

const electron = vi.hoisted(() => ({ showErrorBox: vi.fn(), exit: vi.fn() }));
vi.mock('electron', () => ({ app: { exit: electron.exit }, dialog: { showErrorBox: electron.showErrorBox } }));

afterEach(() => {
  vi.clearAllMocks();
  vi.restoreAllMocks();
});

describe('endOver', () => {
  it('shows a sentence, keeps the stack for the terminal, and ends', () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    endOver(new Error('The sky fell.'));
    const [, text] = electron.showErrorBox.mock.calls[0] ?? [];
    expect(text).toContain('The sky fell.');
    expect(text).not.toContain('fatal.test.ts');
    expect(String(written.mock.calls[0]?.[0])).toContain('fatal.test.ts');
    expect(electron.exit).toHaveBeenCalledExactlyOnceWith(1);
  });

  it('says what to do where that is known', () => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    endOver(new QuarryError({ code: 'DISK_FULL', message: 'The disk is full.', hint: 'Delete something.' }));
    expect(electron.showErrorBox.mock.calls[0]?.[1]).toBe('The disk is full.\n\nDelete something.');
  });
});

describe('endHeadless', () => {
  it('says it in a sentence where there is no window, and ends', () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    endHeadless(new QuarryError({ code: 'DISK_FULL', message: 'The disk is full.', hint: 'Delete something.' }));
    expect(written.mock.calls).toEqual([['The disk is full. Delete something.\n']]);
    expect(electron.showErrorBox).not.toHaveBeenCalled();
    expect(electron.exit).toHaveBeenCalledExactlyOnceWith(1);
  });
});
