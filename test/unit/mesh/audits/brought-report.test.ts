import { describe, expect, it } from 'vitest';
import { BroughtReport } from '../../../../src-main/mesh/audits/brought-report.ts';

const finding = { measure: 'mismatches', found: 0.5, threshold: 0.2, tokens: 48 };
const about = { worker: 'aa'.repeat(32), model: 'bb'.repeat(32), finding };
const text = JSON.stringify({ ...about, answers: [] });

/** Brings a text in pieces of so many characters. */
function brought(whole: string, length = 40): BroughtReport {
  const report = new BroughtReport();
  for (let at = 0; at === 0 || at < whole.length; at += length) report.take(at, whole.slice(at, at + length));
  return report;
}

// That answers which nobody has signed are refused, and others read: integration/mesh-audits.
describe('a report that is brought', () => {
  it('in pieces says what it says', async () => {
    const report = brought(text);
    expect(await report.view()).toEqual({ ...about, answers: 0, tokens: 0 });
    expect(await report.view()).toEqual({ ...about, answers: 0, tokens: 0 });
  });

  it.each([
    ['nothing', ''],
    ['no JSON', '{"worker":'],
    ['something else', '{"worker":"somebody"}'],
    ['a list', '[]'],
    ['figures that are none', text.replace('0.5', '"much"')],
  ])('is none where it is %s', async (_, whole) => {
    await expect(brought(whole).view()).rejects.toThrow('This is no report about a worker.');
  });

  it('is refused where an answer is none', async () => {
    const one = text.replace('"answers":[]', '"answers":[{}]');
    await expect(brought(one).view()).rejects.toThrow('not signed by its worker');
  });

  it('takes no piece that does not follow on the others, and no more than a report can have', async () => {
    const report = brought(text);
    expect(() => report.take(3, 'x')).toThrow('does not follow');
    await report.view();
    expect(() => report.take(text.length, 'x')).toThrow('does not follow');
    const piece = 'x'.repeat(1 << 20);
    const long = new BroughtReport();
    for (let number = 0; number < 32; number++) long.take(number << 20, piece);
    expect(() => long.take(32 << 20, 'x')).toThrow('longer than any');
    expect(long.take(0, text)).toBe(text.length);
    expect(await long.view()).toMatchObject(about);
  });

  it('is forgotten when it is discarded', async () => {
    const report = brought(text);
    report.discard();
    await expect(report.view()).rejects.toThrow('no report');
  });

  it('is not read where another one comes meanwhile', async () => {
    const report = brought(text);
    const reading = report.view();
    report.take(0, text);
    await expect(reading).rejects.toThrow('does not follow');
    expect(await report.view()).toMatchObject(about);
  });
});
