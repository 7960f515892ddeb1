import { afterEach, describe, expect, it, vi } from 'vitest';
import { endHeadless } from '../../../../src-main/desktop/headless.ts';
import { endOver } from '../../../../src-main/desktop/shell/fatal.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';

const electron = vi.hoisted(() => ({ showErrorBox: vi.fn(), exit: vi.fn(), locale: 'en-GB' }));
vi.mock('electron', () => ({
  app: { exit: electron.exit, getLocale: () => electron.locale },
  dialog: { showErrorBox: electron.showErrorBox },
}));

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
    expect(text).not.toContain('fatal.mocked.test.ts');
    expect(String(written.mock.calls[0]?.[0])).toContain('fatal.mocked.test.ts');
    expect(electron.exit).toHaveBeenCalledExactlyOnceWith(1);
  });

  it('says what to do where that is known', () => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    endOver(new QuarryError({ code: 'DISK_FULL', message: 'The disk is full.', hint: 'Delete something.' }));
    expect(electron.showErrorBox.mock.calls[0]?.[1]).toBe('The disk is full.\n\nDelete something.');
  });
});

describe('endOver on a German system', () => {
  afterEach(() => {
    electron.locale = 'en-GB';
  });

  it('says it in German', () => {
    electron.locale = 'de';
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    endOver(new QuarryError({ code: 'CONFIG_INVALID', message: say('settings.together') }));
    expect(electron.showErrorBox.mock.calls[0]).toEqual([
      'Quarry musste beendet werden',
      'tlsCert und tlsKey gehören zusammen, aber nur eines davon ist gesetzt.\n\nEin neuer Start hilft vielleicht; sonst sagt das Protokoll im Datenordner mehr.',
    ]);
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
