import { Template } from '@huggingface/jinja';
import { afterEach, expect, it, vi } from 'vitest';
import { CLOCK, clockAt, withClock } from '../../../../src-main/inference/child/template-clock.ts';

afterEach(() => vi.unstubAllEnvs());

const AT = Date.UTC(2026, 4, 9, 3, 7);
const rendered = (template: string, askedAt: number | undefined) =>
  new Template(withClock(template)).render({ [CLOCK]: clockAt(askedAt) });

it.each(['UTC', 'Pacific/Kiritimati', 'America/New_York'])('tells when it was asked in UTC, in English: %s', (zone) => {
  vi.stubEnv('TZ', zone);
  const template = "{{ strftime_now('%Y-%m-%d, %d %b (%B) %H:%M') }}";
  expect(rendered(template, AT)).toBe('2026-05-09, 09 May (May) 03:07');
  expect(rendered("{{ strftime_now('%b %B') }}", Date.UTC(2026, 11, 1))).toBe('Dec December');
});

it('tells the time here where nobody says when it was asked', () => {
  vi.useFakeTimers({ now: AT, toFake: ['Date'] });
  try {
    vi.stubEnv('TZ', 'Pacific/Kiritimati');
    expect(rendered("{{ strftime_now('%d %H') }}", undefined)).toBe('09 17');
  } finally {
    vi.useRealTimers();
  }
});

it.each(['\n  {% if true %}x{% endif %}\n', '  {{ 1 }}', '{%- set a = 1 -%} x'])(
  'leaves the rest of a template as it is: %j',
  (rest) => {
    const plain = new Template(rest).render();
    expect(rendered(`${rest}{# strftime_now #}`, AT)).toBe(plain);
  },
);
