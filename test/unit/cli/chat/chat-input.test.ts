import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { ChatInput } from '../../../../src-main/cli/chat/chat-input.ts';
import { until } from '../../../support/until.ts';

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

let chat: ChatInput | undefined;
afterEach(() => chat?.close());

function open(terminal: boolean) {
  const input = new PassThrough();
  const output = new PassThrough();
  let shown = '';
  output.on('data', (text) => {
    shown += text;
  });
  const opened = new ChatInput({ input, output, terminal });
  chat = opened;
  return {
    chat: opened,
    type: (text: string) => void input.write(text),
    end: () => void input.end(),
    shown: () => shown,
  };
}

describe('lines of a program', () => {
  it('come one by one, also those that were there before anybody asked, and then no more', async () => {
    const { chat, type, end, shown } = open(false);
    type('one\ntwo\n');
    end();
    expect([await chat.next(), await chat.next(), await chat.next()]).toEqual(['one', 'two', undefined]);
    expect(shown()).toBe('');
  });

  it('belong together between """', async () => {
    const { chat, type, end } = open(false);
    type('"""all in one"""\n"""\nfirst\n  second\n"""\n"""left\nopen\n');
    end();
    expect([await chat.next(), await chat.next(), await chat.next(), await chat.next()]).toEqual([
      'all in one',
      'first\n  second',
      'left\nopen',
      undefined,
    ]);
  });
});

describe('a person', () => {
  it('sees a prompt, edits the line, and has back what was typed before', async () => {
    const { chat, type, shown } = open(true);
    const first = chat.next();
    await until(() => expect(shown()).toContain('> '));
    type('helo\u007fp\r'); // backspace
    expect(await first).toBe('help');
    const again = chat.next();
    type('\u001b[A\r'); // up
    expect(await again).toBe('help');
  });

  it('has what is pasted as one, and may go on typing behind it', async () => {
    const { chat, type } = open(true);
    const typed = chat.next();
    type('Look: \u001b[200~one\r\n  two\u001b[201~ three\r');
    expect(await typed).toBe('Look: one\n  two three');
    const next = chat.next();
    type('four\r');
    expect(await next).toBe('four');
  });

  it('stops the work by Ctrl+C, not the program; what is typed meanwhile waits unseen', async () => {
    const { chat, type, shown } = open(true);
    const begun = Promise.withResolvers<void>();
    const work = chat.during(async (signal) => {
      begun.resolve();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return 'stopped';
    });
    await begun.promise;
    type('next\r');
    type(CTRL_C);
    expect(await work).toBe('stopped');
    expect(shown()).not.toContain('next');
    expect(await chat.next()).toBe('next');
  });

  it('gives up a line by Ctrl+C, is told how to leave, and leaves by Ctrl+D', async () => {
    const { chat, type, shown } = open(true);
    const typed = chat.next();
    type('"""not\rthis');
    await until(() => expect(shown()).toContain('this'));
    type(CTRL_C);
    type('but this\r');
    expect(await typed).toBe('but this');
    const end = chat.next();
    type(CTRL_C);
    await until(() => expect(shown()).toContain('Ctrl+D or /exit leaves.'));
    type(CTRL_D);
    expect(await end).toBeUndefined();
    expect(shown().endsWith('\n\u001b[?2004l')).toBe(true);
  });
});
