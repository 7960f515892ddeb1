import { describe, expect, it } from 'vitest';
import { foreignLine, terminalJson, withoutControls, withStylesOnly } from '../../../src-main/base/foreign-text.ts';

/** Clears the screen, writes to the clipboard, sets the title, colours and hides, in 7 and in 8 bits. */
const STEERING = '\u001b[2J\u001b]52;c;aGk=\u0007\u001b]0;title\u001b\\\u009b2J\u001b[8mhid\u001b[0m\r\b\u007f';

describe('a stranger’s words', () => {
  it('keep their letters, lines and tabs, and nothing that steers a terminal', () => {
    expect(withoutControls(`Grüße\n\t«👩‍🔧» ${STEERING}`)).toBe('Grüße\n\t«👩‍🔧» [2J]52;c;aGk=]0;title\\2J[8mhid[0m');
  });

  it('turn no text around them', () => {
    const marks = '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069';
    expect(withoutControls(`a${marks}b שלום`)).toBe('ab שלום');
  });

  it('steer nothing when an escape comes in two pieces', () => {
    expect(['a\u001b', '[2Jb'].map(withoutControls).join('')).toBe('a[2Jb');
  });

  it('fit in one line', () => {
    expect(foreignLine(' one\r\n two\u001b[2J\u202e ')).toBe('one two [2J');
  });
});

it('a line of ours keeps our styles and loses everything else that steers', () => {
  const bold = '\u001b[1m\u001b[31merror\u001b[39m\u001b[22m';
  expect(withStylesOnly(`${bold} ${STEERING}`)).toBe(`${bold} ${withoutControls(STEERING)}`);
});

it('JSON for a terminal says the same, in characters that steer nothing', () => {
  const value = { text: `\u202e${STEERING}` };
  const json = terminalJson(value, 2);
  expect(json.replaceAll('\n', '')).toMatch(/^[^\p{Cc}\u202e]+$/u);
  expect(JSON.parse(json)).toEqual(value);
});
