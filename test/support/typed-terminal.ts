import { PassThrough } from 'node:stream';
import { onTestFinished, vi } from 'vitest';

/** A terminal whose user answers each question with the next of `answers`, and then by Ctrl+D. @returns what stood on it */
export function typedTerminal(answers: readonly string[]): { shown: () => string } {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin });
  const left = [...answers];
  let shown = '';
  const answer = (text: string | undefined) => (text === undefined ? stdin.end() : stdin.write(text));
  const spies = [
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(stdin as never),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      shown += text;
      if (/[:?\]] $/.test(String(text))) setImmediate(() => answer(left.shift()));
      return true;
    }),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return { shown: () => shown };
}
