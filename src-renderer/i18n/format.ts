import { useTranslation } from 'react-i18next';
import { sizeText } from '../../src-preload/contract/sizes.ts';

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
/** Times that stand in columns and below charts are as long at noon as at night. */
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** Numbers, sizes and times as people of one language write them. */
export class Format {
  readonly #language: string;
  /** By their options: Intl's formatters take longer to make than all else that a chart does in a second. */
  readonly #numberForms = new Map<string, Intl.NumberFormat>();
  readonly #timeForms = new Map<string, Intl.DateTimeFormat>();

  constructor(language: string) {
    this.#language = language;
  }

  /** 12345.678 as «12,346»; `digits` after the point at most. Default 0. */
  number(value: number, digits = 0): string {
    return this.#numbers({ maximumFractionDigits: digits }).format(value);
  }

  /** For little room: 1234 as «1,234», 12345 as «12K»; below that always with as many digits after the point. */
  short(value: number, digits = 0): string {
    const form: Intl.NumberFormatOptions =
      Math.abs(value) < 10_000
        ? { minimumFractionDigits: digits, maximumFractionDigits: digits }
        : { notation: 'compact', maximumFractionDigits: 1 };
    return this.#numbers(form).format(value);
  }

  /** 0.5 as «0.5», 2 as «2.0». */
  tenths(value: number): string {
    const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
    return this.#numbers(digits).format(value);
  }

  /** With its sign: «+12», «−3», «0». */
  signed(value: number): string {
    // Intl writes a hyphen, which is shorter than the plus.
    return this.#numbers({ signDisplay: 'exceptZero', maximumFractionDigits: 0 }).format(value).replace('-', '−');
  }

  /** «one, two, and three» */
  list(parts: Iterable<string>): string {
    return new Intl.ListFormat(this.#language).format(parts);
  }

  /** 0.256 as «26%». */
  percent(share: number): string {
    return this.#numbers({ style: 'percent', maximumFractionDigits: 0 }).format(share);
  }

  /** Bytes as «512 B», «4.7 GB», in steps of 1,000. */
  bytes(bytes: number): string {
    return sizeText(bytes, (value, digits) => this.number(value, digits), '\u00a0');
  }

  /** Bytes a second as «12.4 MB/s». */
  rate(bytesPerSecond: number): string {
    return `${this.bytes(bytesPerSecond)}/s`;
  }

  /** Milliseconds as «340 ms», «2.1 sec», «3 min», «5 h», «2 days». */
  duration(ms: number): string {
    const seconds = ms / 1_000;
    if (ms < 1_000) return this.#unit(ms, 'millisecond');
    if (seconds < MINUTE) return this.#unit(seconds, 'second', seconds < 10 ? 1 : 0);
    if (seconds < HOUR) return this.#unit(seconds / MINUTE, 'minute');
    if (seconds < DAY) return this.#unit(seconds / HOUR, 'hour', seconds < 10 * HOUR ? 1 : 0);
    return this.#unit(seconds / DAY, 'day', 0, 'long');
  }

  /** Unix milliseconds as «3 Jan, 14:05»; with the year when it is another one. */
  time(at: number): string {
    const year = new Date(at).getFullYear() === new Date().getFullYear() ? undefined : 'numeric';
    return this.#times({
      ...(year && { year }),
      month: 'short',
      day: 'numeric',
      ...CLOCK,
    }).format(at);
  }

  /** Unix milliseconds as «3 Jan». */
  day(at: number): string {
    return this.#times({ month: 'short', day: 'numeric' }).format(at);
  }

  /** Unix milliseconds as «Fri, 3 Jan». */
  weekday(at: number): string {
    return this.#times({ weekday: 'short', month: 'short', day: 'numeric' }).format(at);
  }

  /** Unix milliseconds as «14:05». */
  hours(at: number): string {
    return this.#times(CLOCK).format(at);
  }

  /** Unix milliseconds as «October»; with the year when it is another one. */
  month(at: number): string {
    const year = new Date(at).getFullYear() === new Date().getFullYear() ? undefined : 'numeric';
    return new Intl.DateTimeFormat(this.#language, { ...(year && { year }), month: 'long' }).format(at);
  }

  /** Unix milliseconds as «Thursday». */
  dayOfWeek(at: number): string {
    return this.#times({ weekday: 'long' }).format(at);
  }

  /** Unix milliseconds as «14:05:09». */
  clock(at: number): string {
    return this.#times({ ...CLOCK, second: '2-digit' }).format(at);
  }

  /** Unix milliseconds as «5 minutes ago» or «in 2 hours». */
  relative(at: number, now = Date.now()): string {
    const seconds = (at - now) / 1_000;
    const size = Math.abs(seconds);
    const [unit, length]: [Intl.RelativeTimeFormatUnit, number] =
      size < MINUTE ? ['second', 1] : size < HOUR ? ['minute', MINUTE] : size < DAY ? ['hour', HOUR] : ['day', DAY];
    return new Intl.RelativeTimeFormat(this.#language, { numeric: 'auto' }).format(Math.round(seconds / length), unit);
  }

  #numbers(options: Intl.NumberFormatOptions): Intl.NumberFormat {
    const key = JSON.stringify(options);
    const form = this.#numberForms.get(key) ?? new Intl.NumberFormat(this.#language, options);
    this.#numberForms.set(key, form);
    return form;
  }

  #times(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
    const key = JSON.stringify(options);
    const form = this.#timeForms.get(key) ?? new Intl.DateTimeFormat(this.#language, options);
    this.#timeForms.set(key, form);
    return form;
  }

  #unit(value: number, unit: string, digits = 0, unitDisplay: 'short' | 'long' = 'short'): string {
    const options = { style: 'unit', unit, unitDisplay, maximumFractionDigits: digits } as const;
    return this.#numbers(options).format(value);
  }
}

/** One for each language that was spoken since the page was opened. */
const formats = new Map<string, Format>();

/** Formats in the language that the screens speak now. */
export function useFormat(): Format {
  const { language } = useTranslation().i18n;
  const format = formats.get(language) ?? new Format(language);
  formats.set(language, format);
  return format;
}
