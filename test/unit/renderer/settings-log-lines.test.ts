import { describe, expect, it } from 'vitest';
import { addLines, fromLevel, KEPT_LINES, parseLine } from '../../../src-renderer/pages/settings/logs/log-lines.ts';

describe('the log as people read it', () => {
  it('reads a line of pino, with what was logged beside the text', () => {
    expect(parseLine('{"level":40,"time":1795262401000,"peer":"beef","msg":"peer banned"}', 7)).toEqual({
      id: 7,
      level: 'warn',
      at: 1_795_262_401_000,
      text: 'peer banned',
      details: '{"peer":"beef"}',
    });
  });

  it.each([
    [10, 'debug'],
    [20, 'debug'],
    [30, 'info'],
    [50, 'error'],
    [60, 'error'],
  ])('shows level %i as %s', (level, name) => {
    expect(parseLine(JSON.stringify({ level, msg: 'x' }), 1).level).toBe(name);
  });

  it.each(['not JSON', '["a"]', 'null', '{"level":30,"time"'])(
    'shows a line that is no JSON object as it is: %s',
    (line) => {
      expect(parseLine(line, 1)).toEqual({ id: 1, level: 'info', at: undefined, text: line, details: '' });
    },
  );

  it('does not choke on fields of the wrong type', () => {
    expect(parseLine('{"level":"x","time":"y","msg":{"a":1}}', 1)).toMatchObject({ level: 'info', text: '' });
  });

  it('names each line anew and forgets the oldest', () => {
    const many = addLines(
      [],
      Array.from({ length: KEPT_LINES }, (_, index) => `line ${index}`),
    );
    const more = addLines(many, ['newest']);
    expect(more).toHaveLength(KEPT_LINES);
    expect(more[0]?.text).toBe('line 1');
    expect(more.at(-1)?.text).toBe('newest');
    expect(new Set(more.map(({ id }) => id)).size).toBe(KEPT_LINES);
  });

  it('shows lines of a level and of those above it', () => {
    const lines = addLines(
      [],
      [10, 30, 40, 50].map((level) => JSON.stringify({ level, msg: String(level) })),
    );
    expect(fromLevel(lines, 'warn').map(({ text }) => text)).toEqual(['40', '50']);
    expect(fromLevel(lines, 'debug')).toHaveLength(4);
  });
});
